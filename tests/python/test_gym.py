"""Environments: gymnasium's own checks, and the same numbers as gymnasium's vector of single ones."""
import copy
import warnings

import numpy as np
import pytest

import cairn

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from cairn import gym  # noqa: E402

TASKS = {
    "balance": lambda: gym.Balance(limit=12, noise=0.15),
    "reach": lambda: gym.Reach("arm", "tip", [0.3, 0.2, 0.4], limit=9),
    "walk": lambda: gym.Locomotion("quadruped", height=(0.2, 1.0), limit=7),
}


@pytest.mark.parametrize("name", TASKS)
def test_checker(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*Box.*(infinity|high and low).*")  # observations have no bounds
        warnings.filterwarnings("ignore", message=".*not symmetric and normalized.*")
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version.*")
        warnings.filterwarnings("ignore", message=".*spec.*")
        check_env(gym.Env(TASKS[name]()), skip_render_check=True)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("name", TASKS)
def test_same_as_gymnasiums_vector_of_single_ones(name, mode):
    count, task = 4, TASKS[name]
    theirs = SyncVectorEnv([lambda: gym.Env(task()) for _ in range(count)], autoreset_mode=mode)
    ours = gym.VectorEnv(task(), count, threads=2, autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] is mode
    np.testing.assert_array_equal(ours.reset(seed=11)[0], theirs.reset(seed=11)[0])
    random = np.random.default_rng(0)
    ends = 0
    for _ in range(40):
        action = random.uniform(-1, 1, ours.action_space.shape).astype(np.float32)
        mine, their = ours.step(action), theirs.step(action)
        for a, b in zip(mine[:4], their[:4]):
            np.testing.assert_array_equal(a, b)
            assert a.dtype == b.dtype
        ended = mine[2] | mine[3]
        ends += ended.sum()
        if mode is AutoresetMode.SAME_STEP and ended.any():
            np.testing.assert_array_equal(mine[4]["_final_obs"], their[4]["_final_obs"])
            for a, b in zip(mine[4]["final_obs"], their[4]["final_obs"]):
                assert (a is None) == (b is None) and (a is None or np.array_equal(a, b))
        if mode is AutoresetMode.DISABLED and ended.any():
            with pytest.raises(cairn.Error, match="reset"):
                ours.step(action)
            options = {"reset_mask": ended}
            np.testing.assert_array_equal(ours.reset(options=copy.copy(options))[0], theirs.reset(options=options)[0])
    assert ends > 4


def test_seeds_decide():
    env = gym.VectorEnv(gym.Balance(), 3)
    first, again, other = env.reset(seed=5)[0], env.reset(seed=5)[0], env.reset(seed=6)[0]
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first[1:], other[:2])  # world i has the seed seed + i
    np.testing.assert_array_equal(env.reset(seed=[5, 6, 7])[0], first)
    assert not np.array_equal(env.reset()[0], first)


def test_bad_input():
    env, envs = gym.Env(gym.Balance()), gym.VectorEnv(gym.Balance(), 2)
    env.reset(seed=0), envs.reset(seed=0)
    for action in (np.zeros(2), 3.0, [np.nan]):
        with pytest.raises(cairn.Error, match="action|control"):
            env.step(action)
    for actions in (np.zeros(2), np.zeros((2, 2)), np.full((2, 1), np.nan)):
        with pytest.raises(cairn.Error, match="action|control"):
            envs.step(actions)
    with pytest.raises(cairn.Error, match="seed"):
        envs.reset(seed=[1])
    with pytest.raises(cairn.Error, match="reset_mask"):
        envs.reset(options={"reset_mask": [1, 0]})
    with pytest.raises(cairn.Error, match="autoreset_mode"):
        gym.VectorEnv(gym.Balance(), 2, autoreset_mode="sometimes")
    with pytest.raises(cairn.Error, match="task"):
        gym.Env("balance")
    with pytest.raises(cairn.Error, match="model"):
        gym.Balance("unicycle")
    with pytest.raises(cairn.Error, match="sensor"):
        gym.Reach("arm", "nose", [0, 0, 0])


def test_a_task_of_ones_own():
    class Still(gym.Task):
        def reward(self, before, after, sensors, action):
            return -np.abs(self.u(after)).sum(axis=1)

    env = gym.Env(Still("arm", limit=3))
    env.reset(seed=1)
    rewards = [env.step(np.zeros(3)) for _ in range(3)]
    assert rewards[-1][3] and all(r[1] < 0 for r in rewards)
