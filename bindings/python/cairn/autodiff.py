"""Steps of a world as functions of JAX and PyTorch, where these are installed.

    step = cairn.autodiff.jax_step(world, 0.01, [("friction", body)])
    q, v = step(dq, dv, parameters)

A step is a function of changes from a state of the world (the one when the function was made): positions and velocities by numbers of the tangent space,
parameters by what is added to them. It returns the changes of the state after the step from that after the step without changes. Gradients are
those of `cairn.vjp` at the changed state. Numbers are computed by the library on the host, in double precision.
"""
from __future__ import annotations

import importlib
from typing import Any, Callable, Optional, Sequence, Tuple

import numpy as np

from ._core import Array, UnsupportedError, real
from ._gradient import change_since, linearize, move, tangent
from ._native import ffi, lib
from ._things import Body
from ._world import World


def _centre(body: Body) -> Array:
    """Centre of mass, world."""
    mass, com, inertia = ffi.new("double *"), ffi.new("crn_vec3 *"), ffi.new("crn_mat3 *")
    with body._world._guard:
        status = lib.crn_body_mass(body._world._open(), body._id, mass, com, inertia)
    body._check(status)
    w, r, c = body.rotation[0], body.rotation[1:], np.array([com.x, com.y, com.z])
    turned = c + 2 * np.cross(r, np.cross(r, c) + w * c)
    return np.asarray(body.position + turned)


class Stepper:
    """A step from a state of a world as a function, and its derivative: for numpy, and what the wrappers call."""

    def __init__(self, world: World, dt: Optional[float] = None, parameters: Sequence[Any] = (), *,
                 saltation: bool = False) -> None:
        for one in parameters:
            if one[0] not in ("force", "joint_force"):
                raise UnsupportedError(f"parameters: {one[0]!r} is not an input; only forces are")
        self.world, self.dt, self.parameters, self.saltation = world, dt, list(parameters), saltation
        self.n, self.p = tangent(world), len(self.parameters)
        self._first = world.snapshot()
        self._last = self._after(np.zeros(self.n), np.zeros(self.n), np.zeros(self.p))

    def _place(self, dq: Array, dv: Array, forces: Array) -> None:
        self.world.restore(self._first)
        move(self.world, real(dq, "dq", (self.n,)), real(dv, "dv", (self.n,)))
        for one, value in zip(self.parameters, real(forces, "parameters", (self.p,))):
            if one[0] == "joint_force":
                one[1].apply_force(float(value), one[2])
            else:
                push = np.zeros(6)
                push[one[2]] = value
                one[1].apply_torque(push[:3])
                one[1].apply_force(push[3:], _centre(one[1]))

    def _after(self, dq: Array, dv: Array, forces: Array) -> bytes:
        self._place(dq, dv, forces)
        self.world.step(self.dt)
        after = self.world.snapshot()
        self.world.restore(self._first)
        return after

    def __call__(self, dq: Any, dv: Any, forces: Any) -> Tuple[Array, Array]:
        """Changes of the state after the step."""
        self._place(np.asarray(dq), np.asarray(dv), np.asarray(forces))
        self.world.step(self.dt)
        q, v = change_since(self.world, self._last)
        self.world.restore(self._first)
        return q, v

    def vjp(self, dq: Any, dv: Any, forces: Any, gq: Any, gv: Any) -> Tuple[Array, Array, Array]:
        """From the gradient with respect to these to that with respect to the changes."""
        self._place(np.asarray(dq), np.asarray(dv), np.asarray(forces))
        found = linearize(self.world, self.dt, self.parameters, saltation=self.saltation, checked=False)
        self.world.restore(self._first)
        seed = np.concatenate([np.asarray(gq, float), np.asarray(gv, float)])
        g = found.A.T @ seed
        return g[:self.n], g[self.n:], found.B.T @ seed


def jax_step(world: World, dt: Optional[float] = None, parameters: Sequence[Any] = (), *,
             saltation: bool = False) -> Callable[[Any, Any, Any], Any]:
    """A function for JAX with its adjoint (`jax.custom_vjp`). Wants `jax_enable_x64`."""
    jax: Any = importlib.import_module("jax")

    stepper = Stepper(world, dt, parameters, saltation=saltation)
    n, p = stepper.n, stepper.p

    def vector(count: int) -> Any:
        return jax.ShapeDtypeStruct((count,), np.float64)

    def primal(dq: Any, dv: Any, forces: Any) -> Any:
        return jax.pure_callback(stepper, (vector(n), vector(n)), dq, dv, forces)

    step: Any = jax.custom_vjp(primal)

    def forward(dq: Any, dv: Any, forces: Any) -> Any:
        return step(dq, dv, forces), (dq, dv, forces)

    def backward(kept: Any, g: Any) -> Any:
        return jax.pure_callback(stepper.vjp, (vector(n), vector(n), vector(p)), *kept, *g)

    step.defvjp(forward, backward)
    return step  # type: ignore[no-any-return]


def torch_step(world: World, dt: Optional[float] = None, parameters: Sequence[Any] = (), *,
               saltation: bool = False) -> Callable[[Any, Any, Any], Any]:
    """A function for PyTorch with its adjoint (`torch.autograd.Function`)."""
    torch: Any = importlib.import_module("torch")

    stepper = Stepper(world, dt, parameters, saltation=saltation)

    class Step(torch.autograd.Function):  # type: ignore[misc]
        """One step."""

        @staticmethod
        def forward(ctx: Any, dq: Any, dv: Any, forces: Any) -> Any:
            ctx.save_for_backward(dq, dv, forces)
            return tuple(torch.from_numpy(x) for x in stepper(*(t.detach().numpy() for t in (dq, dv, forces))))

        @staticmethod
        def backward(ctx: Any, gq: Any, gv: Any) -> Any:
            dq, dv, forces = (t.detach().numpy() for t in ctx.saved_tensors)
            return tuple(torch.from_numpy(x) for x in stepper.vjp(dq, dv, forces, gq.numpy(), gv.numpy()))

    return lambda dq, dv, forces: Step.apply(dq, dv, forces)
