#!/usr/bin/env bash
# Everything that needs a GPU: all program tests on cuda, compute-sanitizer over a sample, the times of all programs, and those of
# PyTorch, CuPy, JAX and CUB where they are there. A short summary comes last.
#
#     bench/gpu.sh [NORN]
#
# NORN is the binary to test, target/release/norn if not given; the times go to the file RESULTS. compute-sanitizer is left out where
# it is not there.
set -uo pipefail
cd "$(dirname "$0")/.."
norn=${1:-target/release/norn}
summary=()

echo "== all programs"
tests=$("$norn" test --backend cuda tests/lang tests/regress examples bench/programs 2>&1 | tail -n 20)
echo "$tests"
summary+=("tests: $(echo "$tests" | tail -n 1)")

if command -v compute-sanitizer > /dev/null; then
  for tool in memcheck racecheck; do
    echo "== $tool"
    said=$(compute-sanitizer --tool "$tool" "$norn" test --backend cuda tests/lang/operators_at_scale tests/lang/flattening 2>&1 \
      | grep -E "SUMMARY|failed")
    echo "$said"
    summary+=("$tool: $(echo "$said" | grep -c -E " 0 (errors|hazards)") clean runs, $(echo "$said" | grep -c -v -E " 0 (errors|hazards)") others")
  done
fi

echo "== times"
NORN=$norn python3 bench/run.py measure --on gpu -o "${RESULTS:-bench/results/gpu.json}"

printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
