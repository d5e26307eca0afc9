/* A box of 2 kg on a table, mu = 0.5, pushed for a step of 10 ms by a force that grows: it stays until the force exceeds
 * mu m g = 9.81 N. The four contacts are the same in every step, so one session solves them all. */
#include <cairn/contact.h>
#include <stdio.h>

enum { CORNERS = 4 };

int main(void)
{
    const double m = 2.0, g = 9.81, h = 0.01, mu = 0.5;
    crn_contact_body box = {.kind = CRN_MASS_RIGID, .dof = 6, .mass = m, .com = {0, 0, 0.1}};
    box.inertia[0] = box.inertia[4] = 0.03; /* [kg m^2], column-major */
    box.inertia[8] = 0.05;
    crn_contact_point contact[CORNERS];
    for (int i = 0; i < CORNERS; ++i) {
        contact[i] = (crn_contact_point){.a = 0, .b = -1, .mu = mu, .directions = 8}; /* the box, on the fixed world */
        contact[i].position[0] = i & 1 ? 0.2 : -0.2;
        contact[i].position[1] = i & 2 ? 0.2 : -0.2;
        contact[i].normal[2] = 1.0; /* out of the world into the box */
        contact[i].t1[0] = 1.0;
        contact[i].t2[1] = 1.0;
    }
    double velocity[6] = {0, 0, 0, 0, 0, -h * g}; /* free velocity: angular, then linear */
    crn_contact_problem problem = {.bodies = 1, .body = &box, .contacts = CORNERS, .contact = contact};
    problem.velocity = velocity;

    double impulse[3 * CORNERS], after[6];
    crn_contact_solution solution = {.impulse = impulse, .velocity = after};
    crn_contact_options options = crn_contact_options_default();
    options.even = true; /* four corners share the load in many ways: take the most even one */
    crn_workspace work = {0};
    crn_contact_session *session;
    crn_contact_result result;
    crn_error error;
    if (crn_contact_prepare(&problem, &options, &work, &session, &error) != CRN_OK) {
        fprintf(stderr, "%s\n", error.text); /* names body, contact or row, and field */
        return 2;
    }
    int moves = 0;
    for (double force = 8.0; force < 12.0; force += 1.0) {
        velocity[1] = -h * force * box.com[2] / box.inertia[4]; /* it acts at the height of the table */
        velocity[3] = h * force / m;
        crn_contact_again(session, velocity, &solution, &result, NULL);
        printf("%4.1f N: %s, certificate %.0e, %d pivots%s; speed %.4f m/s, first corner carries (%.4f, %.4f) N s\n",
               force, crn_lcp_outcome_name(result.outcome), result.certificate.relative, result.pivots,
               result.is_warm ? " (warm)" : "", after[3] > 1e-12 ? after[3] : 0.0, impulse[0], impulse[1]);
        if (result.outcome != CRN_LCP_SOLVED) {
            return 1;
        }
        moves += after[3] > 1e-9;
    }
    crn_workspace_free(&work);
    return moves == 2 ? 0 : 1; /* at 10 and 11 N */
}
