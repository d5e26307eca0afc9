"""MuJoCo from PyPI."""
import mujoco
import numpy as np

import mjcf
import plain


class World:
    def __init__(self, scene, setting):
        self.model = mujoco.MjModel.from_xml_string(mjcf.write(scene, setting))
        self.data = mujoco.MjData(self.model)
        self.free = [self.model.body(b["name"]).id for b in plain.free_bodies(scene)]
        self.pushes = [(self.model.body(l["body"]).id, l["force"]) for l in scene["loads"]]
        self.scales = [self.model.body(n).id for n in plain.scales(scene)]
        for index, body in zip(self.free, plain.free_bodies(scene)):
            self.start(index, body)
        self.refresh()

    def start(self, index, body):
        if "velocity" in body or "angular" in body:
            first = self.model.body_dofadr[index]
            self.data.qvel[first:first + 3] = body.get("velocity", [0, 0, 0])
            local = plain.turn(plain.inverse(body["rotation"]), body.get("angular", [0, 0, 0]))
            self.data.qvel[first + 3:first + 6] = local

    def refresh(self):
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)

    def step(self):
        for index, force in self.pushes:
            self.data.xfrc_applied[index, :3] = force
        mujoco.mj_step(self.model, self.data)

    def states(self):
        self.refresh()
        d = self.data
        for i in self.free:
            spin, root = d.cvel[i, :3], self.model.body_rootid[i]
            v = d.cvel[i, 3:] + np.cross(spin, d.xpos[i] - d.subtree_com[root])
            yield [*d.xpos[i], *d.xquat[i], *v, *spin]

    def loads(self):
        sums = dict.fromkeys(self.scales, 0.0)
        force = np.zeros(6)
        for k in range(self.data.ncon):
            c = self.data.contact[k]
            mujoco.mj_contactForce(self.model, self.data, k, force)
            for geom in (c.geom1, c.geom2):
                if self.model.geom_bodyid[geom] in sums:
                    sums[self.model.geom_bodyid[geom]] += abs(force[0] * c.frame[2])
        return list(sums.values())

    def complaints(self):
        return int(sum(w.number for w in self.data.warning))


if __name__ == "__main__":
    plain.main("MuJoCo 4", mujoco.__version__, mjcf.SETTINGS, World)
