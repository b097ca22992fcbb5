"""What other libraries take for the work of these programs, where they are installed: PyTorch, CuPy, JAX.

Milliseconds, median of 15 runs after a warm-up, data on the GPU, the wait for the end included, as `norn bench` measures.
One line for each: `work library time`.
"""

import statistics
import time

N = 10_000_000
RUNS = 15


def measure(work, library, run, wait):
    """Runs it until the time is known, and prints that."""
    try:
        for _ in range(3):
            run()
        wait()
        times = []
        for _ in range(RUNS):
            begin = time.perf_counter()
            run()
            wait()
            times.append(time.perf_counter() - begin)
    except Exception as error:  # Too little memory, say: the others still count.
        print(f"{work} {library} failed: {type(error).__name__}")
        return
    print(f"{work} {library} {statistics.median(times) * 1e3:.3f}", flush=True)


def pytorch():
    import torch

    wait = torch.cuda.synchronize
    x, y = (torch.rand(N, device="cuda") for _ in range(2))
    keys = torch.randint(-(2**31), 2**31 - 1, (N,), dtype=torch.int32, device="cuda")
    bins = torch.randint(0, 1024, (N,), device="cuda")
    a, b = (torch.rand(4096, 4096, device="cuda") for _ in range(2))
    torch.backends.cuda.matmul.allow_tf32 = False
    measure("sum", "pytorch", lambda: x.sum(), wait)
    measure("dot", "pytorch", lambda: torch.dot(x, y), wait)
    measure("scan", "pytorch", lambda: torch.cumsum(x, 0), wait)
    measure("filter", "pytorch", lambda: x[x > 0.5], wait)
    measure("histogram", "pytorch", lambda: torch.bincount(bins, minlength=1024), wait)
    measure("sort", "pytorch", lambda: torch.sort(keys), wait)
    measure("matmul", "pytorch", lambda: a @ b, wait)
    for rows in (1_000_000, 1000, 3):
        table = x[: N // rows * rows].reshape(rows, -1)
        measure(f"segsum-{rows}", "pytorch", lambda: table.sum(1), wait)


def cupy():
    import cupy

    wait = cupy.cuda.Device().synchronize
    x, y = (cupy.random.rand(N, dtype=cupy.float32) for _ in range(2))
    keys = cupy.random.randint(0, 2**32, N, dtype=cupy.uint32)
    measure("dot", "cupy", lambda: cupy.dot(x, y), wait)
    measure("scan", "cupy", lambda: cupy.cumsum(x), wait)
    measure("filter", "cupy", lambda: x[x > 0.5], wait)
    measure("sort", "cupy", lambda: cupy.sort(keys), wait)


def jax():
    import jax
    import jax.numpy as jnp
    from jax.scipy.stats import norm

    def wait():
        done[0].block_until_ready()

    done = [None]

    def jitted(function, *args):
        compiled = jax.jit(function)

        def run():
            result = compiled(*args)
            done[0] = result[0] if isinstance(result, tuple) else result

        return run

    key = jax.random.PRNGKey(1)
    x, y = (jax.random.uniform(k, (N,)) for k in jax.random.split(key))
    keys = jax.random.bits(key, (N,), jnp.uint32)
    measure("dot", "jax", jitted(jnp.dot, x, y), wait)
    measure("scan", "jax", jitted(jnp.cumsum, x), wait)
    measure("sort", "jax", jitted(jnp.sort, keys), wait)

    def black_scholes(spot, strike, years):
        rate, volatility = 0.02, 0.3
        spread = volatility * jnp.sqrt(years)
        d1 = (jnp.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / spread
        discount = strike * jnp.exp(-rate * years)
        call = spot * norm.cdf(d1) - discount * norm.cdf(d1 - spread)
        return call, call - spot + discount

    measure("blackscholes", "jax", jitted(black_scholes, x * 25 + 5, y * 99 + 1, x * 9.75 + 0.25), wait)

    def forces_on(some, points):
        away = points[None, :, :] - some[:, None, :]
        inverse = jax.lax.rsqrt((away * away).sum(-1) + 1e-3)
        return (away * (inverse**3)[:, :, None]).sum(1)

    # All pairs at once do not fit into memory.
    def forces(points):
        return jax.lax.map(lambda some: forces_on(some, points), points.reshape(100, 1000, 3))

    points = jax.random.uniform(key, (100_000, 3))
    measure("nbody", "jax", jitted(forces, points), wait)


for library in (pytorch, cupy, jax):
    try:
        library()
    except ImportError:
        print(f"- {library.__name__} is not installed")
