#include "collide/shape.h"
#include <stdlib.h>
bool crn_collide_convex(const crn_query *q, crn_touches *o){(void)q;(void)o;return false;}
crn_status crn_hull_build(const double *p,int c,const crn_allocator*a,crn_polyhedron**h,crn_error*e){(void)p;(void)c;(void)a;(void)h;return crn_fail(e,CRN_ERR_UNSUPPORTED,"hull");}
void crn_hull_free(const crn_allocator*a,crn_polyhedron*h){(void)a;(void)h;}
crn_mass_properties crn_hull_mass(const crn_polyhedron*h){(void)h;crn_mass_properties m={0};return m;}
crn_bounds crn_convex_bounds(const crn_shape*s,const crn_frame*f){(void)s;(void)f;crn_bounds b={{0,0,0},{0,0,0}};return b;}
int crn_touch_reduce(crn_touch*t,int c,double d){(void)t;(void)d;return c;}
