/* Closing loops on what an assembly gives: Phi and b of its handles change by what a further joint between two of them
 * holds. Not for other rooms. */
#ifndef CRN_ASSEMBLY_LOOP_H
#define CRN_ASSEMBLY_LOOP_H

/* A joint between handles. All vectors are about the origin that Phi and b are about (world axes). */
typedef struct crn_assembly_loop {
    int parent, child;     /* numbers of handles; -1: the base */
    int rows;              /* 0 to 6 */
    const double *T;       /* 6 x rows: what the joint holds, T'S = 0; column-major */
    const double *applied; /* 6: wrench S (S'S)^-1 tau of its motor on the child; NULL: 0 */
    const double *product; /* 6: velocity product c_J of the child against the parent; NULL: 0 */
    const double
        *mobility; /* rows numbers of crn_assembly_loop_mobility() before any loop was closed; NULL: those of now */
} crn_assembly_loop;

/* T_j' (Phi_pp + Phi_cc) T_j for each row: what a pivot is measured with. Once several loops are closed, what they leave of it
 * can be rounding; then the numbers from before tell a row that is held already from one that is not. */
void crn_assembly_loop_mobility(const double *phi, int handles, const crn_assembly_loop *loop, double *mobilities);

/* Close one loop: phi, (6 handles)^2 column-major, and bias, 6 handles (may be NULL), are changed. work: 36 handles numbers.
 * Returns how many rows are held that were not held before. */
int crn_assembly_close(double *phi, double *bias, int handles, const crn_assembly_loop *loop, double *work);

#endif
