"""Cairn: complementarity problems, and rigid and articulated bodies in hard contact, solved with proof.

    solve(M, q), qp(P, q, A, l, u)       complementarity problems and quadratic programmes; certify, prove
    contact(mass=..., position=...)      impulses at contact points, for simulators of your own
    World(scene), load("robot.xml")      bodies, joints and robots in motion
    Batch(model, worlds), rollout(...)   many worlds at once, on all cores
    study(run, parameters, out)          runs with many parameters, on all cores or a cluster
    linearize(world), Tape(world)        derivatives of a step, and over many of them
    Recording("motion.crn")              motions as arrays, and as pages

Every error is a `cairn.Error` with the library's message.
"""
from ._batch import Batch, BatchStep, rollout
from ._contact import ContactCertificate, ContactSolution, contact
from ._core import (ArgumentError, BusyError, ClosedError, DivergedError, Error, FileError, FormatError, KindError,
                    NoMemoryError, UnknownNameError, UnsupportedError, __version__)
from ._gradient import (Backward, Kink, Linearization, Report, Tape, change_since, linearize, move, tangent, tangent_of,
                        vjp)
from ._lcp import Certificate, Proof, QPSolution, Solution, certify, prove, qp, solve
from ._model import Model, ReadWarning
from ._recording import Recorder, Recording
from ._step import Step
from ._study import Scene
from ._study_run import study
from ._things import Body, Joint, RayHit, Site
from ._world import World, load

__all__ = ["ArgumentError", "Backward", "Batch", "BatchStep", "Body", "BusyError", "Certificate", "ClosedError",
           "ContactCertificate", "ContactSolution", "DivergedError", "Error", "FileError", "FormatError", "Joint",
           "KindError", "Kink", "Linearization", "Model", "NoMemoryError", "Proof", "QPSolution", "RayHit", "ReadWarning", "Recorder",
           "Recording", "Report", "Scene", "Site", "Solution", "Step", "Tape", "UnknownNameError", "UnsupportedError", "World", "__version__",
           "certify", "change_since", "contact", "linearize", "load", "move", "prove", "qp", "rollout", "study", "solve", "tangent",
           "tangent_of", "vjp"]

for _name in __all__:  # messages say cairn.FormatError, not cairn._core.FormatError
    if _name.endswith("Error"):
        globals()[_name].__module__ = "cairn"
