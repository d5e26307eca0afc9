"""Scenes that several tests use."""
import pathlib

import pytest

import cairn

ROOT = pathlib.Path(__file__).resolve().parents[2]

BOX_ON_FLOOR = {
    "bodies": [
        {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane"}]},
        {"name": "box", "position": [0, 0, 0.5], "mass": 2.0, "shapes": [{"kind": "box", "half": [0.5, 0.5, 0.5]}]},
    ],
    "measure": [{"name": "where", "kind": "position", "body": "box"}],
}

ARM = """
<mujoco model="arm">
  <option timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" type="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04" mass="1.5"/>
      <body name="lower" pos="0.4 0 0">
        <joint name="elbow" type="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="0.8"/>
        <site name="tool" pos="0.3 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="shoulder" gear="3" ctrlrange="-1 1" ctrllimited="true"/>
    <motor name="bend" joint="elbow"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="elbow"/>
    <framepos name="tip" objtype="site" objname="tool"/>
  </sensor>
  <keyframe><key name="bent" qpos="0.3 -0.7" qvel="0.1 0.2" ctrl="0.5 0"/></keyframe>
</mujoco>
"""


def insist(call):
    """Call it until no other thread is in the way."""
    while True:
        try:
            return call()
        except cairn.BusyError:
            pass


@pytest.fixture
def box():
    return cairn.World(BOX_ON_FLOOR)


@pytest.fixture
def arm_file(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    return path


@pytest.fixture
def arm(arm_file):
    return cairn.load(arm_file)
