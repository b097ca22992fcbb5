"""Entry points inside of functions that JAX and PyTorch transform.

Programs have no derivatives yet: where one is needed, it is another entry point, which takes the arguments and the derivative with respect to the result, and
returns those with respect to the arguments (a tuple, if there are several).
"""

# mypy: disable-error-code="import-not-found, no-untyped-call"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._norn import Array, Entry


def for_jax(entry: Entry, result: Any, derivative: Entry | None = None) -> Callable[..., Any]:
    """A function that can be called inside of `jax.jit`, and of `jax.grad` if there is a derivative.

    `result` says what comes out: a `jax.ShapeDtypeStruct`, or a tree of them, or a function of the arguments that returns one.
    """
    import jax

    def host(called: Entry) -> Callable[..., Any]:
        return lambda *args: jax.tree_util.tree_map(np.asarray, called(*(np.asarray(arg) for arg in args)))

    def call(*args: Any) -> Any:
        shapes = result(*args) if callable(result) else result
        return jax.pure_callback(host(entry), shapes, *args, vmap_method="sequential")

    if derivative is None:
        return call
    backward = host(derivative)

    def pull(args: tuple[Any, ...], change: Any) -> tuple[Any, ...]:
        shapes = tuple(jax.ShapeDtypeStruct(arg.shape, arg.dtype) for arg in args)
        shape = shapes if len(shapes) > 1 else shapes[0]
        pulled = jax.pure_callback(backward, shape, *args, change, vmap_method="sequential")
        return pulled if len(shapes) > 1 else (pulled,)

    with_derivative = jax.custom_vjp(call)
    with_derivative.defvjp(lambda *args: (call(*args), tuple(map(jax.numpy.asarray, args))), pull)
    return with_derivative


def for_torch(entry: Entry, derivative: Entry | None = None) -> Callable[..., Any]:
    """A function of tensors, with a derivative if there is one. Results are on the device of the first tensor that goes in.

    Tensors that are where the program runs stay there: on the processor, or on its GPU.
    """
    import torch

    def tensor(value: Any, device: Any) -> Any:
        if isinstance(value, (Array, np.ndarray)):
            return torch.from_dlpack(value).to(device)
        return torch.tensor(value, device=device) if isinstance(value, (int, float, bool)) else value

    def plain(arg: Any) -> Any:
        return arg.detach().contiguous() if isinstance(arg, torch.Tensor) else arg

    class Function(torch.autograd.Function):  # type: ignore[misc, name-defined, unused-ignore]
        @staticmethod
        def forward(ctx: Any, *args: Any) -> Any:
            tensors = [arg for arg in args if isinstance(arg, torch.Tensor)]
            ctx.save_for_backward(*tensors)
            ctx.others = [None if isinstance(arg, torch.Tensor) else (arg,) for arg in args]
            ctx.device = tensors[0].device if tensors else None
            result = entry(*map(plain, args))
            if isinstance(result, tuple):
                return tuple(tensor(each, ctx.device) for each in result)
            return tensor(result, ctx.device)

        @staticmethod
        def backward(ctx: Any, *changes: Any) -> Any:
            if derivative is None:
                raise NotImplementedError(f"`{entry.__name__}` was given no derivative")
            saved = iter(ctx.saved_tensors)
            args = [plain(next(saved)) if other is None else other[0] for other in ctx.others]
            change = tuple(map(plain, changes)) if len(changes) > 1 else plain(changes[0])
            pulled = derivative(*args, change)
            pulled = pulled if isinstance(pulled, tuple) else (pulled,)
            return tuple(
                tensor(each, ctx.device) if other is None else None
                for each, other in zip(pulled, ctx.others)
            )

    function: Callable[..., Any] = Function.apply
    return function
