"""Learning: models as environments of gymnasium, one (`Env`) or many on all cores (`VectorEnv`).

A `Task` says what is observed, what is rewarded and when an episode is over, for all worlds at once. The classic ones work on
the models that you bring: `Locomotion`, `Reach`, `Balance`; a task of your own overrides a method or two.

>>> import cairn.gym
>>> env = cairn.gym.Env(cairn.gym.Balance("cartpole"))
>>> observation, info = env.reset(seed=1)
>>> observation.shape, env.action_space
((4,), Box(-1.0, 1.0, (1,), float32))
>>> envs = cairn.gym.VectorEnv(cairn.gym.Balance("cartpole"), 8)
>>> envs.reset(seed=1)[0].shape
(8, 4)
"""
from __future__ import annotations

import pathlib
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._batch import Batch
from ._core import Array, ArgumentError, UnknownNameError, number, whole
from ._model import Model, as_model
from ._native import lib

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as missing:
    raise ImportError("cairn.gym needs gymnasium: pip install 'cairn[gym]'") from missing

Mask = NDArray[np.bool_]
MODELS = pathlib.Path(__file__).with_name("models")


def own_model(name: str) -> Model:
    """One of the small models that come with the package: "arm", "cartpole", "quadruped"."""
    path = MODELS / f"{name}.xml"
    if not path.exists():
        raise UnknownNameError(f"model: there is no {name!r}; there are {sorted(p.stem for p in MODELS.glob('*.xml'))}")
    return Model.load(path)


class Task:
    """What to do with a model. Override `observe`, `reward` and `is_over`; states are those of `cairn.Batch`, one row each.

    ``hold`` is the number of steps that an action is held, ``noise`` the half width of the random part of coordinates and
    velocities at the beginning of an episode, ``limit`` the number of actions after which it is cut off.
    """

    def __init__(self, model: Any, *, hold: int = 5, noise: float = 0.01, limit: int = 500) -> None:
        self.model = own_model(model) if isinstance(model, str) and "." not in model else as_model(model)
        self.hold, self.noise = whole(hold, "hold", 1), number(noise, "noise", 0.0)
        self.limit = whole(limit, "limit", 1)
        one = Batch(self.model, 1, 1)
        self.beginning: Array = one.state()[0]
        self.nq, self.nu = one.nq, one.nu
        self.seconds = self.model.dt * self.hold
        actuators = [lib.crn_model_actuator(self.model._c, i) for i in range(one.ncontrol)]
        self.low = np.array([max(a.lower, -1e3) for a in actuators])
        self.high = np.array([min(a.upper, 1e3) for a in actuators])

    def q(self, state: Array) -> Array:
        """Coordinates among states."""
        part: Array = state[:, 1:1 + self.nq]
        return part

    def u(self, state: Array) -> Array:
        """Velocities among states."""
        part: Array = state[:, 1 + self.nq:1 + self.nq + self.nu]
        return part

    def begin(self, random: np.random.Generator) -> Array:
        """A state to begin an episode with."""
        state = self.beginning.copy()
        state[1:] += random.uniform(-self.noise, self.noise, len(state) - 1)
        return state

    def observe(self, state: Array, sensors: Array) -> Array:
        """What the learner sees: coordinates and velocities."""
        return np.concatenate([self.q(state), self.u(state)], axis=1)

    def reward(self, before: Array, after: Array, sensors: Array, action: Array) -> Array:
        """Of each world for an action that led from one state to another, where sensors show this."""
        return np.zeros(len(after))

    def is_over(self, state: Array) -> Mask:
        """Has the episode failed (or succeeded) here?"""
        return np.zeros(len(state), bool)


class Locomotion(Task):
    """Get ahead along x without falling: a body that floats (or slides) is the first of the model's coordinates.

    Reward: ``forward`` times its speed along x, plus ``alive``, less ``effort`` times the squared actions. It is over when the
    height is not within ``height`` (None: never).
    """

    def __init__(self, model: Any, *, forward: float = 1.0, alive: float = 1.0, effort: float = 0.05,
                 height: Optional[Tuple[float, float]] = None, hold: int = 5, noise: float = 0.01,
                 limit: int = 500) -> None:
        super().__init__(model, hold=hold, noise=noise, limit=limit)
        self.forward, self.alive, self.effort, self.height = forward, alive, effort, height

    def observe(self, state: Array, sensors: Array) -> Array:
        """All but the place along x and y, which do not matter."""
        return np.concatenate([self.q(state)[:, 2:], self.u(state)], axis=1)

    def reward(self, before: Array, after: Array, sensors: Array, action: Array) -> Array:
        """Speed along x, being alive, and effort."""
        speed = (self.q(after)[:, 0] - self.q(before)[:, 0]) / self.seconds
        total: Array = self.forward * speed + self.alive - self.effort * (action**2).sum(axis=1)
        return total

    def is_over(self, state: Array) -> Mask:
        """Is it lying?"""
        if self.height is None:
            return super().is_over(state)
        z = self.q(state)[:, 2]
        return (z < self.height[0]) | (z > self.height[1])


class Reach(Task):
    """Bring a place to a target: ``sensor`` is the name of a sensor that shows a position, ``target`` where it should be.

    Reward: minus the distance, less ``effort`` times the squared actions.
    """

    def __init__(self, model: Any, sensor: str, target: Sequence[float], *, effort: float = 0.01, hold: int = 5,
                 noise: float = 0.1, limit: int = 200) -> None:
        super().__init__(model, hold=hold, noise=noise, limit=limit)
        names = self.model.sensors
        if sensor not in names:
            raise UnknownNameError(f"sensor: there is no {sensor!r}; there are {names}")
        first = lib.crn_model_probe_first(self.model._c, names.index(sensor))
        self._where = slice(first, first + 3)
        self.target = np.asarray(target, dtype=float)
        if self.target.shape != (3,):
            raise ArgumentError(f"target: has shape {self.target.shape}, needs (3,)")
        self.effort = effort

    def observe(self, state: Array, sensors: Array) -> Array:
        """Coordinates, velocities, and the way to the target."""
        return np.concatenate([self.q(state), self.u(state), self.target - sensors[:, self._where]], axis=1)

    def reward(self, before: Array, after: Array, sensors: Array, action: Array) -> Array:
        """Minus the distance and the effort."""
        distance = np.linalg.norm(self.target - sensors[:, self._where], axis=1)
        total: Array = -distance - self.effort * (action**2).sum(axis=1)
        return total


class Balance(Task):
    """Keep a pole up: coordinate ``pole`` near 0 and, if given, coordinate 0 within ``track`` of 0. Reward 1 for every action."""

    def __init__(self, model: Any = "cartpole", *, pole: int = 1, angle: float = 0.2, track: Optional[float] = 2.0,
                 hold: int = 2, noise: float = 0.01, limit: int = 500) -> None:
        super().__init__(model, hold=hold, noise=noise, limit=limit)
        self.pole, self.angle, self.track = whole(pole, "pole", 0, self.nq - 1), angle, track

    def reward(self, before: Array, after: Array, sensors: Array, action: Array) -> Array:
        """1 as long as it stands."""
        return np.where(self.is_over(after), 0.0, 1.0)

    def is_over(self, state: Array) -> Mask:
        """Has it fallen, or left the track?"""
        q = self.q(state)
        fallen = np.abs(q[:, self.pole]) > self.angle
        return fallen if self.track is None else fallen | (np.abs(q[:, 0]) > self.track)


class _Worlds:
    """The worlds of a task, with what both kinds of environments need."""

    def __init__(self, task: Task, count: int, threads: Optional[int]) -> None:
        if not isinstance(task, Task):
            raise ArgumentError(f"task: needs a cairn.gym.Task, not {type(task).__name__}")
        self.task, self.batch = task, Batch(task.model, count, threads)
        self.state = self.batch.state()
        self.sensors = self.batch.sensors()
        self.count = np.zeros(count, int)
        numbers = task.observe(self.state, self.sensors).shape[1]
        self.action_space = gymnasium.spaces.Box(task.low.astype(np.float32), task.high.astype(np.float32))
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (numbers,), np.float64)

    def begin(self, mask: Mask, random: Sequence[np.random.Generator]) -> None:
        """New episodes in these worlds."""
        which = np.flatnonzero(mask)
        if len(which):
            self.batch.reset(np.array([self.task.begin(random[int(i)]) for i in which]), which)
            self.state, self.sensors = self.batch.state(), self.batch.sensors()
            self.count[which] = 0

    def observe(self) -> Array:
        return self.task.observe(self.state, self.sensors).copy()

    def act(self, action: Any) -> Tuple[Array, Array, Mask, Mask]:
        """Observation, reward, terminated, truncated. A world whose motion diverged is over."""
        moves = np.asarray(action, dtype=float)
        before, done = self.state, self.batch.step(moves, hold=self.task.hold)
        self.state, self.sensors = done.state[:, -1], done.sensors[:, -1]
        self.count += 1
        seen = self.observe()
        reward = self.task.reward(before, self.state, self.sensors, moves)
        return seen, reward, self.task.is_over(self.state) | done.diverged, self.count >= self.task.limit


class Env(gymnasium.Env):  # type: ignore[misc,type-arg,unused-ignore]
    """A task in one world, as an environment of gymnasium.

    >>> import cairn.gym
    >>> env = cairn.gym.Env(cairn.gym.Balance())
    >>> observation, info = env.reset(seed=3)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    >>> reward, terminated, truncated
    (1.0, False, False)
    """

    metadata: Dict[str, Any] = {"render_modes": []}

    def __init__(self, task: Task) -> None:
        self._worlds = _Worlds(task, 1, 1)
        self.task = task
        self.action_space = self._worlds.action_space
        self.observation_space = self._worlds.observation_space

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Array, Dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        self._worlds.begin(np.ones(1, bool), [self.np_random])
        return self._worlds.observe()[0], {}

    def step(self, action: Any) -> Tuple[Array, float, bool, bool, Dict[str, Any]]:
        """Hold an action for the task's number of steps."""
        moves = np.asarray(action, dtype=float)
        if moves.shape != self.action_space.shape:
            raise ArgumentError(f"action: has shape {moves.shape}, needs {self.action_space.shape}")
        seen, reward, over, late = self._worlds.act(moves[None])
        return seen[0], float(reward[0]), bool(over[0]), bool(late[0]), {}

    def close(self) -> None:
        """Release its world."""
        self._worlds.batch.close()


class VectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[misc,type-arg,unused-ignore]
    """A task in many worlds, stepped by all cores; the same numbers as gymnasium's own vector of `Env`, to the last bit.

    ``autoreset_mode`` is one of gymnasium's: worlds begin anew in the step after their episode ended, in the same step, or when
    you reset them with options={"reset_mask": mask}.
    """

    def __init__(self, task: Task, num_envs: int, *, threads: Optional[int] = None,
                 autoreset_mode: Union[str, AutoresetMode] = AutoresetMode.NEXT_STEP) -> None:
        self._worlds = _Worlds(task, num_envs, threads)
        self.task, self.num_envs = task, len(self._worlds.batch)
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = [mode.value for mode in AutoresetMode]
            raise ArgumentError(f"autoreset_mode: there is no {autoreset_mode!r}; there are {modes}") from None
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.single_action_space = self._worlds.action_space
        self.single_observation_space = self._worlds.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._ended: Mask = np.zeros(self.num_envs, bool)
        self._random: List[np.random.Generator] = []

    def reset(self, *, seed: Union[int, Sequence[Optional[int]], None] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[Array, Dict[str, Any]]:
        """Begin episodes: in all worlds, or in those of options["reset_mask"]. World i has the seed seed + i, or seed[i]."""
        mask = self._mask(options)
        seeds = [None if seed is None else seed + i for i in range(self.num_envs)] if seed is None or isinstance(
            seed, (int, np.integer)) else list(seed)
        if len(seeds) != self.num_envs:
            raise ArgumentError(f"seed: there are {len(seeds)}, needs {self.num_envs}")
        fresh = not self._random
        self._random = [gymnasium.utils.seeding.np_random(s)[0] if fresh or (s is not None and mask[i])
                        else self._random[i] for i, s in enumerate(seeds)]
        self._worlds.begin(mask, self._random)
        self._ended[mask] = False
        return self._worlds.observe(), {}

    def _mask(self, options: Optional[Dict[str, Any]]) -> Mask:
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, bool)
        mask = np.asarray(options["reset_mask"])
        if mask.dtype != bool or mask.shape != (self.num_envs,):
            raise ArgumentError(f"reset_mask: needs {self.num_envs} of True and False")
        return mask

    def step(self, actions: Any) -> Tuple[Array, Array, Mask, Mask, Dict[str, Any]]:
        """Act in all worlds."""
        moves = np.asarray(actions, dtype=float)
        if moves.shape != self.action_space.shape:
            raise ArgumentError(f"actions: has shape {moves.shape}, needs {self.action_space.shape}")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise ArgumentError(f"reset: episodes of worlds {np.flatnonzero(self._ended).tolist()} are over")
        seen, reward, over, late = self._worlds.act(moves)
        info: Dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and self._ended.any():
            self._worlds.begin(self._ended, self._random)
            seen = self._worlds.observe()
            reward[self._ended], over[self._ended], late[self._ended] = 0.0, False, False
        ended = over | late
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            info = self._final(seen, ended)
            self._worlds.begin(ended, self._random)
            seen = self._worlds.observe()
        self._ended = ended
        return seen, reward, over, late, info

    def _final(self, seen: Array, ended: Mask) -> Dict[str, Any]:
        """What was seen last in episodes that ended, in gymnasium's form."""
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            final[i] = seen[i].copy()
        return {"final_obs": final, "_final_obs": ended.copy(), "final_info": {}, "_final_info": ended.copy()}

    def close_extras(self, **kwargs: Any) -> None:
        """Release its worlds."""
        self._worlds.batch.close()
