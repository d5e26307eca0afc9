/* What a closed contact may carry when its slip is known: a polyhedral cone of (theta, phi), or a round cone of r, and
 * the nearest point in it. */
#ifndef CRN_CONTACT_EVEN_CONE_H
#define CRN_CONTACT_EVEN_CONE_H

typedef enum crn_face_kind {
    CRN_FACE_NORMAL,  /* theta >= 0, no friction */
    CRN_FACE_RAY,     /* slides: friction mu theta along t */
    CRN_FACE_PAIR,    /* slides across an edge: friction between mu theta t and mu theta t' */
    CRN_FACE_POLYGON, /* sticks: phi >= 0 on all corners, sum phi <= mu theta */
    CRN_FACE_ROUND    /* sticks: |r_t| <= mu theta */
} crn_face_kind;

typedef struct crn_face {
    crn_face_kind kind;
    double mu;
    double t[4];          /* ray: t; pair: t and t' */
    int half;             /* polygon: d / 2 */
    const double *corner; /* polygon: the first half of its corners; the others are their opposites */
} crn_face;

/* r = the impulse (n, t1, t2) of the point of the face that is nearest to E'g, where r = E (theta, phi) (round: r itself).
 * S, if not NULL, is dr/dg: a symmetric 3 x 3 matrix, entries nn n1 n2 11 12 22. */
void crn_face_project(const crn_face *face, const double *g, double *r, double *S);

/* The S of a point inside of the face, away from every bound: what the first step takes. */
void crn_face_inside(const crn_face *face, double *S);

#endif
