#!/usr/bin/env bash
# Everything that needs a GPU: all program tests on cuda, compute-sanitizer over a sample, the times of these programs, and those of
# PyTorch, CuPy, JAX and CUB where they are there. A short summary comes last.
#
#     bench/gpu/run.sh [NORN]
#
# NORN is the binary to test, target/release/norn if not given. compute-sanitizer is left out where it is not there.
set -uo pipefail
cd "$(dirname "$0")/../.."
norn=${1:-target/release/norn}
summary=()

echo "== all programs"
tests=$("$norn" test --backend cuda tests/lang tests/regress examples 2>&1 | tail -n 20)
echo "$tests"
summary+=("tests: $(echo "$tests" | tail -n 1)")

if command -v compute-sanitizer > /dev/null; then
  for tool in memcheck racecheck; do
    echo "== $tool"
    said=$(compute-sanitizer --tool "$tool" "$norn" test --backend cuda tests/lang/operators_at_scale tests/lang/flattening/rows_by_groups.fut 2>&1 \
      | grep -E "SUMMARY|failed")
    echo "$said"
    summary+=("$tool: $(echo "$said" | grep -c -E " 0 (errors|hazards)") clean runs, $(echo "$said" | grep -c -v -E " 0 (errors|hazards)") others")
  done
fi

echo "== times"
table=$(for program in bench/gpu/*.fut; do
  [ "$(basename "$program")" = data.fut ] || "$norn" bench --backend cuda --runs 15 "$program" 2>&1 \
    | grep -E " [mu]?s \(" | sed "s|^ *|$(basename "$program" .fut): |; s| (95.*||"
done)
echo "$table"

echo "== peers"
python3 bench/gpu/peers.py 2> /dev/null || echo "no Python with PyTorch, CuPy or JAX"
if command -v nvcc > /dev/null; then
  nvcc -O3 -std=c++17 -arch=native -o target/cub_peer bench/gpu/cub.cu 2> /dev/null && target/cub_peer
fi

printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
