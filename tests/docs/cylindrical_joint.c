/* docs/guide/adding_a_joint.md: the functions of a cylindrical joint, on a joint that has turned by 0.3 and moved by 0.2 along
 * its axis, and was then opened by 0.01 along x. */
#include "tree/joint_parts.h"
#include <math.h>
#include <stdio.h>

enum { X, Y, Z };

/* FRAGMENT */
static int differs(double value, double right)
{
    if (fabs(value - right) > 1e-12) {
        printf("%g instead of %g\n", value, right);
        return 1;
    }
    return 0;
}

int main(void)
{
    crn_joint_sides sides = {0};
    crn_joint_row held[4], moved[2];
    crn_pose turned = crn_pose_identity();
    turned.rotation.w = cos(0.15);
    turned.rotation.z = sin(0.15);
    sides.a.rotation = crn_quat_matrix(crn_pose_identity().rotation);
    sides.b.rotation = crn_quat_matrix(turned.rotation);
    sides.b.position = crn_v3(0.01, 0, 0.2);
    hold(&sides, held);
    coordinate(&sides, moved);
    return differs(held[0].value, 0.01) + differs(held[1].value, 0.0) + differs(held[2].value, 0.0) +
           differs(held[3].value, 0.0) + differs(moved[0].value, 0.3) + differs(moved[1].value, 0.2);
}
