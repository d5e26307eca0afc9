/* The lessons: what is shown, what is said. */
#include "lessons.h"

#include <string.h>

static const char prefix[] = "lesson:";

static const char incline[] =
    "{\"name\": \"Block on an incline\", \"dt\": 0.005, \"gravity\": [3.35521760, 0, -9.21838465], \"bodies\": [\n"
    "  {\"name\": \"ground\", \"kind\": \"fixed\", \"shapes\": [{\"kind\": \"plane\", \"friction\": 0.5}]},\n"
    "  {\"name\": \"block\", \"mass\": 1, \"position\": [0, 0, 0.1],\n"
    "   \"shapes\": [{\"kind\": \"box\", \"half\": [0.15, 0.1, 0.1], \"friction\": 0.5}]}]}";

static const char cradle[] =
    "{\"name\": \"Newton's cradle\", \"planar\": true, \"dt\": 0.002, \"bodies\": [\n"
    "  {\"name\": \"ball 1\", \"mass\": 1, \"position\": [-0.430413654540, -0.418024025608],\n"
    "   \"shapes\": [{\"kind\": \"disk\", \"radius\": 0.05, \"friction\": 0, \"restitution\": 1}]},\n"
    "  {\"name\": \"ball 2\", \"mass\": 1, \"position\": [0.105, -0.6],\n"
    "   \"shapes\": [{\"kind\": \"disk\", \"radius\": 0.05, \"friction\": 0, \"restitution\": 1}]},\n"
    "  {\"name\": \"ball 3\", \"mass\": 1, \"position\": [0.21, -0.6],\n"
    "   \"shapes\": [{\"kind\": \"disk\", \"radius\": 0.05, \"friction\": 0, \"restitution\": 1}]},\n"
    "  {\"name\": \"ball 4\", \"mass\": 1, \"position\": [0.315, -0.6],\n"
    "   \"shapes\": [{\"kind\": \"disk\", \"radius\": 0.05, \"friction\": 0, \"restitution\": 1}]},\n"
    "  {\"name\": \"ball 5\", \"mass\": 1, \"position\": [0.42, -0.6],\n"
    "   \"shapes\": [{\"kind\": \"disk\", \"radius\": 0.05, \"friction\": 0, \"restitution\": 1}]}],\n"
    " \"joints\": [{\"kind\": \"hinge\", \"b\": 0, \"point\": [0, 0]}, {\"kind\": \"hinge\", \"b\": 1, \"point\": "
    "[0.105, 0]},\n"
    "  {\"kind\": \"hinge\", \"b\": 2, \"point\": [0.21, 0]}, {\"kind\": \"hinge\", \"b\": 3, \"point\": [0.315, 0]},\n"
    "  {\"kind\": \"hinge\", \"b\": 4, \"point\": [0.42, 0]}]}";

static const char two_contacts[] =
    "{\"name\": \"Two contacts\", \"planar\": true, \"dt\": 0.01, \"solver\": {\"cone\": \"polygon\"}, \"bodies\": [\n"
    "  {\"name\": \"floor\", \"kind\": \"fixed\", \"shapes\": [{\"kind\": \"half_plane\", \"friction\": 0.4}]},\n"
    "  {\"name\": \"block\", \"mass\": 1, \"position\": [0, 0.2], \"velocity\": [2.5, 0],\n"
    "   \"shapes\": [{\"kind\": \"polygon\", \"points\": [[-0.1, -0.2], [0.1, -0.2], [0.1, 0.2], [-0.1, 0.2]], "
    "\"friction\": 0.4}]}]}";

static const lesson lessons[] = {
    {"incline",
     "Block on an incline",
     "It rests while the angle is below atan \u03bc, and slides above it.",
     incline,
     2.0,
     {"live",
      "cones",
      {"A block presses on the ground with force n. Friction can hold it by at most \u03bcn, in any direction: the "
       "force of the "
       "ground lies in a cone, which is drawn at each corner.",
       "Tilt the ground. Up to the angle atan \u03bc the force that holds the block lies inside of the cone, and the "
       "block rests: "
       "not slowly creeping, but with speed 0. With \u03bc = 0.5 that is 26.57\u00b0.",
       "Above it the force lies on the cone, and the block slides with a = g (sin \u03b1 \u2212 \u03bc cos \u03b1). "
       "The contacts "
       "turn from sticking to sliding: their colours show it.",
       "Try: find the angle to 0.1\u00b0. Then change friction, and find it again. Does it depend on gravity?"}}},
    {"table",
     "A table on six legs",
     "Three legs would do: which of them carry?",
     "gallery:table-6",
     1.0,
     {"solver",
      "",
      {"Three legs decide how a rigid table stands. With six, infinitely many distributions of its weight hold it, and "
       "all give "
       "the same motion. What does a solver answer?",
       "Pivoting answers with a vertex: as few legs as can be carry, and which ones depends on the order in which they "
       "are "
       "looked at. The most even answer is unique: equal legs carry equal loads.",
       "The bars of this pane show both for the frame at hand, and how many constraints are redundant.",
       "Try: pull at a corner of the table, and watch the loads."}}},
    {"painleve",
     "Painlev\u00e9's rod",
     "A rod that slides with much friction: no force is right, an impulse is.",
     "gallery:painleve",
     1.0,
     {"live",
      "cones",
      {"A rod slides on its end, leaning backwards. The force of the ground pushes up, and by friction turns the rod "
       "into the "
       "ground. If \u03bc is large enough, pushing harder makes its end go down faster.",
       "Then there is no finite force by which it would slide on (Painlev\u00e9, 1895). Rigid bodies with Coulomb's "
       "friction "
       "have an answer nevertheless: an impulse, which stops the rod's end within the instant.",
       "Time stepping asks for the impulse over a step from the start, so that nothing special happens here: every "
       "step is "
       "solved and certified.",
       "Try: less friction, and the same start."}}},
    {"cradle",
     "Newton's cradle",
     "Five balls, one hit at a time or all at once.",
     cradle,
     3.0,
     {"live",
      "joints",
      {"One ball hits four, and the last one flies off: momentum and energy are kept, and so it must be, one says. But "
       "two "
       "equations do not decide five speeds.",
       "Here there are gaps of 5 mm between the balls. Each collision is over before the next begins: two equal balls "
       "exchange their speeds, one pair after another.",
       "If the balls touched, all contacts would collide at once, and Newton's law at each of them says that the first "
       "ball "
       "bounces back and the others go on together. That conserves energy too. Real balls are a little elastic, and "
       "closer to "
       "the gaps.",
       "Try: drag two balls aside and let them go. Then a restitution of 0.5."}}},
    {"rolling",
     "Rolling, with and without slip",
     "A disk slides until it rolls, at 2/3 of its speed.",
     "gallery:disk-on-table",
     2.0,
     {"live",
      "",
      {"A disk is thrown along a table without spin. Its contact slides; friction \u03bcmg slows it and makes it turn.",
       "When the speed of its rim is that of its centre, v = \u03c9r, the contact sticks, friction is 0 from then on, "
       "and it "
       "rolls for ever. Whatever \u03bc is, 2/3 of its speed and 2/3 of its energy are left: only when that happens "
       "depends on "
       "it.",
       "The plot of energy shows it: friction takes 1/3, and then nothing.",
       "Try: friction 0; then a tilt of the table. Up to tan \u03b1 = 3\u03bc it rolls without slip, with a = 2/3 g "
       "sin \u03b1."}}},
    {"masses",
     "The heaviest on top",
     "Five boxes of 1 to 10,000 kg, which many solvers cannot hold.",
     "gallery:stack-masses",
     2.0,
     {"live",
      "",
      {"The lowest box weighs 1 kg and carries 11,110 kg. Methods that push pair by pair need as many sweeps as the "
       "ratio of "
       "masses: the box is pressed into the floor, or the tower trembles.",
       "Here the impulses of all contacts are found at once, and the certificate tells how well. The tower stands "
       "still.",
       "Try: pull the lowest box out. How strong must the hand be? Then friction 0.1."}}},
    {"gripper",
     "A gripper",
     "A capsule between two fingers, held by friction alone.",
     "gallery:pinch",
     2.0,
     {"live",
      "cones,front",
      {"Two fingers press on a capsule of 45 g from both sides. Friction carries its weight as long as 2\u03bcF > mg.",
       "A grasp that holds does so with speed 0: the capsule does not sink, however long one waits. Methods that "
       "soften "
       "contacts or friction let it creep.",
       "Try: less friction until it falls; then gravity 0, and pull."}}},
    {"lemke",
     "A path to the solution",
     "Two contacts, solved pivot by pivot.",
     two_contacts,
     1.0,
     {"solver",
      "contacts,forces",
      {"A tall block slides on two corners. Each contact is off, sticks, or slides one way or the other: 16 "
       "combinations, of "
       "which one is right.",
       "Lemke's method does not try them. It begins with a problem whose answer is plain and moves to the one at hand, "
       "while exactly one thing changes at a time: the rows of this pane. The path cannot come back to where it was.",
       "Step through the frames with the arrow keys. While the block slides, both contacts slide, and the impulses are "
       "the "
       "only ones. When it has stopped, its corners may pull against each other, and many impulses are right: the bars "
       "show "
       "two of them.",
       "Try: in the live panel, pull the block by its top until it tips. Then one contact is off."}}},
};

int lessons_count(void)
{
    return (int)(sizeof lessons / sizeof lessons[0]);
}

const lesson *lessons_at(int index)
{
    return index >= 0 && index < lessons_count() ? &lessons[index] : NULL;
}

bool lessons_is_named(const char *scene)
{
    return strncmp(scene, prefix, sizeof prefix - 1) == 0;
}

const lesson *lessons_find(const char *scene)
{
    for (int i = 0; i < lessons_count() && lessons_is_named(scene); ++i) {
        if (strcmp(scene + sizeof prefix - 1, lessons[i].name) == 0) {
            return &lessons[i];
        }
    }
    return NULL;
}
