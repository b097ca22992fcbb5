"""Entry points inside of functions of JAX and PyTorch, where these are installed."""

import unittest

import numpy as np

import norn
from common import CONTEXT, program

p = norn.source(
    """
entry weighted [n] (ws: [n]f32) (xs: [n]f32) : [n]f32 = map2 (\\w x -> w * x * x) ws xs
entry weighted_back [n] (ws: [n]f32) (xs: [n]f32) (change: [n]f32) : ([n]f32, [n]f32) =
  (map2 (\\x c -> c * x * x) xs change, map3 (\\w x c -> 2 * c * w * x) ws xs change)
entry power [n] (k: f32) (xs: [n]f32) : ([n]f32, f32) = (map (** k) xs, f32.sum xs)
entry power_back [n] (k: f32) (xs: [n]f32) (changes: ([n]f32, f32)) : (f32, [n]f32) =
  (0, map2 (\\x c -> c * k * x ** (k - 1) + changes.1) xs changes.0)
""",
    backend=program().backend,
    context=CONTEXT,
)
WS, XS = np.array([1, 2, 3], np.float32), np.array([4, 5, 6], np.float32)


class Jax(unittest.TestCase):
    def test_jit_and_grad(self):
        try:
            import jax
            import jax.numpy as jnp

            from norn.adapters import for_jax
        except ImportError:
            self.skipTest("there is no JAX")
        shape = lambda ws, xs: jax.ShapeDtypeStruct(xs.shape, xs.dtype)
        weighted = for_jax(p.weighted, shape, p.weighted_back)
        self.assertEqual(jax.jit(weighted)(WS, XS).tolist(), [16, 50, 108])
        total = jax.jit(jax.grad(lambda ws, xs: jnp.sum(weighted(ws, xs)), argnums=(0, 1)))
        by_ws, by_xs = total(WS, XS)
        self.assertEqual((by_ws.tolist(), by_xs.tolist()), ([16, 25, 36], [8, 20, 36]))
        without = for_jax(p.weighted, jax.ShapeDtypeStruct((3,), np.float32))
        self.assertEqual(jax.vmap(without)(np.stack([WS, WS]), np.stack([XS, XS]))[1].tolist(), [16, 50, 108])


class Torch(unittest.TestCase):
    def test_numbers_beside_tensors(self):
        try:
            import torch

            from norn.adapters import for_torch
        except ImportError:
            self.skipTest("there is no PyTorch")
        both = for_torch(p.power, p.power_back)
        xs = torch.tensor(XS, requires_grad=True)
        squares, total = both(2.0, xs)
        (squares.sum() + total).backward()
        self.assertEqual((squares.tolist(), total.item(), xs.grad.tolist()), ([16, 25, 36], 15, [9, 11, 13]))

    def test_autograd(self):
        try:
            import torch

            from norn.adapters import for_torch
        except ImportError:
            self.skipTest("there is no PyTorch")
        weighted = for_torch(p.weighted, p.weighted_back)
        ws, xs = (torch.tensor(each, requires_grad=True) for each in (WS, XS))
        weighted(ws, xs).sum().backward()
        self.assertEqual((ws.grad.tolist(), xs.grad.tolist()), ([16, 25, 36], [8, 20, 36]))


if __name__ == "__main__":
    unittest.main()
