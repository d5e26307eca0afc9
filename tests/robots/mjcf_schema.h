/* MuJoCo's elements and attributes, as its XML reference (versions 2.2 to 3.3) lists them, with a value that is allowed for each. The
 * walk of test_mjcf_schema.c puts each into a file of its own. */
#ifndef CRN_TEST_MJCF_SCHEMA_H
#define CRN_TEST_MJCF_SCHEMA_H

typedef struct mjcf_entry {
    const char *context; /* the file, with %s where the element stands */
    const char *element;
    const char *needs;      /* attributes without which it is refused */
    const char *attributes; /* "name=value" each, separated by '|' */
    const char *inside;     /* what stands in the element; NULL: nothing */
} mjcf_entry;

#define TOP "<mujoco>%s<worldbody/></mujoco>"
/* A world with one of everything that others name. */
#define BODY_WITH(inside)                                                                                         \
    "<body name='b' pos='0 0 1'><joint name='j' axis='0 1 0'/><geom name='g' size='0.1'/><site name='s'/>" inside \
    "<body name='c' pos='0.5 0 0'><joint name='k' axis='0 1 0'/><geom name='h' size='0.1'/><site "                \
    "name='t'/></body></body>"
#define WORLD(inside) \
    "<worldbody>" BODY_WITH("") "<body name='d' pos='0 0 9'><freejoint/><geom size='1'/></body>" inside "</worldbody>"
#define ASSETS                                                                                                    \
    "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><hfield name='f' nrow='2' ncol='2' size='1 1 1 1'/>" \
    "<texture name='x' type='2d' builtin='flat' width='8' height='8'/><material name='y'/></asset>"
#define IN_WORLD "<mujoco>" ASSETS "<worldbody>" BODY_WITH("") "%s</worldbody></mujoco>"
#define IN_BODY  "<mujoco>" ASSETS "<worldbody>" BODY_WITH("%s") "</worldbody></mujoco>"
#define AFTER(section)                                                                                          \
    "<mujoco>" ASSETS WORLD("") "<tendon><fixed name='u'><joint joint='j' coef='1'/></fixed></tendon><" section \
                                ">%s</" section "></mujoco>"
#define POSE "pos=1 2 3|quat=0 1 0 0|axisangle=0 0 1 30|xyaxes=0 1 0 1 0 0|zaxis=1 0 0|euler=10 20 30"
#define LIMITS                                                                                                       \
    "limited=false|range=-1 1|solreflimit=0.1 1|solimplimit=0.9 0.95 0.001|solreffriction=0.1 1|solimpfriction=0.9 " \
    "0.95 0.001|margin=0.1"
#define ACTUATOR                                                                                                  \
    "name=n|class=main|group=1|ctrllimited=true|forcelimited=false|ctrlrange=-1 1|forcerange=-1 1|lengthrange=0 " \
    "1|gear=2|"                                                                                                   \
    "cranklength=1|user=1"
#define TARGETS "joint=k|jointinparent=k|tendon=u|cranksite=s|slidersite=t|site=s|refsite=t|body=b"
#define SOFT    "solref=0.1 1|solimp=0.9 0.95 0.001"

static const mjcf_entry mjcf_schema[] = {
    {"%s", "mujoco", "", "model=n", "<worldbody/>"},
    {"<mujoco>%s<asset><mesh name='q' file='q.stl'/></asset><worldbody><geom type='mesh' "
     "mesh='q'/></worldbody></mujoco>",
     "compiler", "",
     "autolimits=false|boundmass=1|boundinertia=1|settotalmass=1|balanceinertia=true|strippath=true|coordinate=local|"
     "angle=radian|"
     "fitaabb=true|eulerseq=zyx|meshdir=a|texturedir=a|assetdir=a|discardvisual=true|convexhull=false|usethread=false|"
     "fusestatic=true|"
     "inertiafromgeom=true|inertiagrouprange=0 1|saveinertial=true|alignfree=true|exactmeshinertia=true",
     NULL},
    {"<mujoco><compiler>%s</compiler><worldbody/></mujoco>", "lengthrange", "",
     "mode=none|useexisting=false|uselimit=true|accel=1|maxforce=1|timeconst=1|timestep=1|inttotal=1|interval=1|"
     "tolrange=1",
     NULL},
    {TOP, "option", "",
     "timestep=0.01|apirate=100|impratio=2|tolerance=1|ls_tolerance=1|noslip_tolerance=1|ccd_tolerance=1|mpr_tolerance="
     "1|gravity=0 0 -1|"
     "wind=1 0 0|magnetic=1 0 0|density=1|viscosity=1|o_margin=1|o_solref=1 1|o_solimp=1 1|o_friction=1 "
     "1|integrator=RK4|collision=all|"
     "cone=elliptic|jacobian=dense|solver=PGS|iterations=1|ls_iterations=1|noslip_iterations=1|ccd_iterations=1|mpr_"
     "iterations=1|"
     "sdf_iterations=1|sdf_initpoints=1|actuatorgroupdisable=1",
     NULL},
    {"<mujoco><option>%s</option>" WORLD("") "</mujoco>", "flag", "",
     "constraint=disable|equality=disable|frictionloss=disable|limit=disable|contact=disable|passive=disable|spring="
     "disable|damper=disable|"
     "gravity=disable|clampctrl=disable|warmstart=disable|filterparent=disable|actuation=disable|refsafe=disable|"
     "sensor=disable|"
     "midphase=disable|nativeccd=disable|eulerdamp=disable|autoreset=disable|island=disable|override=enable|energy="
     "enable|fwdinv=enable|"
     "invdiscrete=enable|multiccd=enable",
     NULL},
    {TOP, "size", "",
     "memory=1M|njmax=1|nconmax=1|nstack=1|nuserdata=1|nkey=1|nuser_body=1|nuser_jnt=1|nuser_geom=1|nuser_site=1|nuser_"
     "cam=1|"
     "nuser_tendon=1|nuser_actuator=1|nuser_sensor=1",
     NULL},
    {TOP, "visual", "", "", "<global fovy='1'/><quality/><headlight/><map/><scale/><rgba/>"},
    {TOP, "statistic", "", "meaninertia=1|meanmass=1|meansize=1|extent=1|center=1 1 1", NULL},
    {TOP, "custom", "", "", "<numeric name='n' data='1'/><text name='t' data='a'/>"},
    {TOP, "extension", "", "", "<plugin plugin='p'/>"},
    {"<mujoco>%s<worldbody><geom class='x' size='1'/></worldbody></mujoco>", "default", "", "class=x", NULL},
    {"<mujoco><default>%s</default><worldbody><geom class='x' size='1'/></worldbody></mujoco>", "default", "",
     "class=x", NULL},
    {TOP, "deformable", "", "", "<flex name='f'/>"},
    /* assets: used by a geom that touches */
    {"<mujoco><asset>%s</asset><worldbody><geom type='mesh' mesh='p'/></worldbody></mujoco>", "mesh",
     "name='p' vertex='0 0 0 1 0 0 0 1 0 0 0 1'",
     "class=main|content_type=a|scale=2 2 2|inertia=shell|smoothnormal=true|maxhullvert=5|normal=0 0 1|texcoord=0 0|"
     "face=0 2 1 0 1 3 0 3 2 1 2 3|refpos=1 0 0|refquat=0 1 0 0|builtin=none|params=1|material=y",
     NULL},
    {"<mujoco><asset>%s</asset><worldbody/></mujoco>", "hfield", "name='f'",
     "content_type=a|file=a.png|nrow=2|ncol=2|elevation=0 0 0 0|size=1 1 1 1", NULL},
    {"<mujoco><asset>%s</asset><worldbody/></mujoco>", "texture", "name='x'",
     "type=2d|file=a.png|builtin=flat|width=8|height=8", NULL},
    {"<mujoco><asset>%s</asset><worldbody/></mujoco>", "material", "name='y'", "texture=x|rgba=1 1 1 1|emission=1",
     NULL},
    {"<mujoco><asset>%s</asset><worldbody/></mujoco>", "skin", "name='y'", "file=a.skn|rgba=1 1 1 1", NULL},
    {"<mujoco><asset>%s</asset><worldbody/></mujoco>", "model", "name='y'", "file=a.xml", NULL},
    /* bodies and what is in them */
    {IN_WORLD, "body", "", "name=n|childclass=main|mocap=true|gravcomp=1|user=1|sleep=auto|" POSE,
     "<freejoint/><geom size='1'/>"},
    {IN_WORLD, "frame", "", "name=n|childclass=main|" POSE, "<geom size='1'/>"},
    {IN_WORLD, "replicate", "count='2'", "sep=-|offset=0 0 1|euler=0 0 30",
     "<body name='r'><freejoint/><geom size='1'/></body>"},
    {IN_WORLD, "body", "pos='0 0 5'", "", "<freejoint name='f' group='1' align='true'/><geom size='1'/>"},
    {"<mujoco><worldbody><body><freejoint/>%s</body></worldbody></mujoco>", "inertial",
     "pos='0 0 0' mass='1' diaginertia='1 1 1'", "fullinertia=1 1 1 0 0 0|" POSE, NULL},
    {"<mujoco><worldbody><body>%s<geom size='1'/></body></worldbody></mujoco>", "joint", "",
     "name=n|class=main|type=slide|group=1|pos=0 0 1|axis=1 0 0|springdamper=1 1|stiffness=1|actuatorfrcrange=-1 1|"
     "actuatorfrclimited=false|actuatorgravcomp=true|ref=10|springref=10|armature=1|damping=1|frictionloss=1|user="
     "1|" LIMITS,
     NULL},
    {"<mujoco><worldbody><body>%s<geom size='1'/></body></worldbody></mujoco>", "freejoint", "",
     "name=n|group=1|align=true", NULL},
    {IN_BODY, "geom", "size='0.1 0.2 0.3'",
     "name=n|class=main|type=box|contype=2|conaffinity=2|condim=6|group=1|priority=1|material=y|rgba=1 1 1 "
     "1|friction=0.5 0.1 0.1|mass=1|"
     "density=1|shellinertia=true|solmix=1|margin=1|gap=1|fromto=0 0 0 1 1 "
     "1|hfield=f|mesh=m|fitscale=2|fluidshape=ellipsoid|"
     "fluidcoef=1|user=1|" SOFT "|" POSE,
     NULL},
    {IN_BODY, "site", "",
     "name=n|class=main|type=box|group=1|material=y|rgba=1 1 1 1|size=1|fromto=0 0 0 1 1 1|user=1|" POSE, NULL},
    {IN_BODY, "camera", "", "name=n|mode=fixed|fovy=45|pos=1 1 1", NULL},
    {IN_BODY, "light", "", "name=n|pos=1 1 1|dir=0 0 -1", NULL},
    {IN_BODY, "composite", "type='cable'", "prefix=p|count=2|offset=0 0 1", NULL},
    {IN_BODY, "flexcomp", "name='x'", "type=grid|count=2 2 2", NULL},
    {IN_BODY, "plugin", "plugin='p'", "", NULL},
    {IN_BODY, "attach", "model='y' prefix='p'", "body=b", NULL},
    /* contacts, constraints, tendons */
    {AFTER("contact"), "pair", "geom1='g' geom2='h'",
     "name=n|class=main|condim=1|friction=1 1 1 1 1|solreffriction=1 1|gap=1|margin=1|" SOFT, NULL},
    {AFTER("contact"), "exclude", "body1='b' body2='d'", "name=n", NULL},
    {AFTER("equality"), "connect", "body1='b' anchor='0 0 0'",
     "name=n|class=main|active=false|body2=c|site1=s|site2=t|" SOFT, NULL},
    {AFTER("equality"), "weld", "body1='c'",
     "name=n|class=main|active=false|body2=b|relpose=0 0 1 1 0 0 0|anchor=0 0 1|site1=s|site2=t|torquescale=2|" SOFT,
     NULL},
    {AFTER("equality"), "joint", "joint1='j'", "name=n|class=main|active=false|joint2=k|polycoef=1 1 0 0 0|" SOFT,
     NULL},
    {AFTER("equality"), "tendon", "tendon1='u'", "name=n|active=false|polycoef=1 1 0 0 0|" SOFT, NULL},
    {AFTER("equality"), "flex", "flex='x'", "name=n|active=false|" SOFT, NULL},
    {AFTER("tendon"), "fixed", "",
     "name=n|class=main|group=1|frictionloss=1|springlength=1|stiffness=1|damping=1|user=1|" LIMITS,
     "<joint joint='k' coef='1'/>"},
    {AFTER("tendon"), "spatial", "",
     "name=n|class=main|group=1|frictionloss=1|springlength=1|width=1|material=y|rgba=1 1 1 "
     "1|stiffness=1|damping=1|user=1|" LIMITS,
     "<site site='s'/><site site='t'/><geom geom='g' sidesite='s'/><pulley divisor='2'/>"},
    /* actuators */
    {AFTER("actuator"), "general", "joint='j' biastype='affine'",
     ACTUATOR "|actlimited=true|actrange=-1 1|actdim=1|dyntype=filter|gaintype=fixed|dynprm=1|gainprm=2|biasprm=0 -1 0|"
              "actearly=true|" TARGETS,
     NULL},
    {AFTER("actuator"), "motor", "joint='j'", ACTUATOR "|" TARGETS, NULL},
    {AFTER("actuator"), "position", "joint='j'", ACTUATOR "|kp=2|kv=1|dampratio=1|timeconst=1|inheritrange=1|" TARGETS,
     NULL},
    {AFTER("actuator"), "velocity", "joint='j'", ACTUATOR "|kv=2|" TARGETS, NULL},
    {AFTER("actuator"), "intvelocity", "joint='j'", ACTUATOR "|kp=1|kv=1|dampratio=1|actrange=-1 1|inheritrange=1",
     NULL},
    {AFTER("actuator"), "damper", "joint='j'", ACTUATOR "|kv=1", NULL},
    {AFTER("actuator"), "cylinder", "joint='j'", ACTUATOR "|timeconst=1|area=1|diameter=1|bias=1 1 1", NULL},
    {AFTER("actuator"), "muscle", "joint='j'",
     ACTUATOR "|timeconst=1 1|range=0 1|force=1|scale=1|lmin=1|lmax=1|vmax=1|fpmax=1|fvmax=1", NULL},
    {AFTER("actuator"), "adhesion", "body='b'", ACTUATOR "|gain=1", NULL},
    {AFTER("actuator"), "plugin", "plugin='p'", "joint=j", NULL},
    {AFTER("actuator"), "pid", "joint='j'", "", NULL},
    {AFTER("actuator"), "dcmotor", "joint='j'", "", NULL},
    {AFTER("actuator"), "orientation", "site='s' refsite='t'", "", NULL},
/* sensors */
#define SENSOR       "name=n|noise=1|cutoff=1|user=1"
#define FRAME_SENSOR "reftype=body|refname=b|" SENSOR
    {AFTER("sensor"), "touch", "site='s'", SENSOR, NULL},
    {AFTER("sensor"), "accelerometer", "site='s'", SENSOR, NULL},
    {AFTER("sensor"), "velocimeter", "site='s'", SENSOR, NULL},
    {AFTER("sensor"), "gyro", "site='s'", SENSOR, NULL},
    {AFTER("sensor"), "force", "site='s'", SENSOR, NULL},
    {AFTER("sensor"), "torque", "site='s'", SENSOR, NULL},
    {AFTER("sensor"), "magnetometer", "site='s'", SENSOR, NULL},
    {AFTER("sensor"), "camprojection", "site='s' camera='a'", SENSOR, NULL},
    {AFTER("sensor"), "rangefinder", "site='s'", SENSOR, NULL},
    {AFTER("sensor"), "jointpos", "joint='j'", SENSOR, NULL},
    {AFTER("sensor"), "jointvel", "joint='j'", SENSOR, NULL},
    {AFTER("sensor"), "tendonpos", "tendon='u'", SENSOR, NULL},
    {AFTER("sensor"), "tendonvel", "tendon='u'", SENSOR, NULL},
    {AFTER("sensor"), "actuatorpos", "actuator='a'", SENSOR, NULL},
    {AFTER("sensor"), "actuatorvel", "actuator='a'", SENSOR, NULL},
    {AFTER("sensor"), "actuatorfrc", "actuator='a'", SENSOR, NULL},
    {AFTER("sensor"), "jointactuatorfrc", "joint='j'", SENSOR, NULL},
    {AFTER("sensor"), "tendonactuatorfrc", "tendon='u'", SENSOR, NULL},
    {AFTER("sensor"), "ballquat", "joint='j'", SENSOR, NULL},
    {AFTER("sensor"), "ballangvel", "joint='j'", SENSOR, NULL},
    {AFTER("sensor"), "jointlimitpos", "joint='j'", SENSOR, NULL},
    {AFTER("sensor"), "jointlimitvel", "joint='j'", SENSOR, NULL},
    {AFTER("sensor"), "jointlimitfrc", "joint='j'", SENSOR, NULL},
    {AFTER("sensor"), "tendonlimitpos", "tendon='u'", SENSOR, NULL},
    {AFTER("sensor"), "tendonlimitvel", "tendon='u'", SENSOR, NULL},
    {AFTER("sensor"), "tendonlimitfrc", "tendon='u'", SENSOR, NULL},
    {AFTER("sensor"), "framepos", "objtype='site' objname='s'", FRAME_SENSOR, NULL},
    {AFTER("sensor"), "framequat", "objtype='site' objname='s'", FRAME_SENSOR, NULL},
    {AFTER("sensor"), "framexaxis", "objtype='site' objname='s'", FRAME_SENSOR, NULL},
    {AFTER("sensor"), "frameyaxis", "objtype='site' objname='s'", FRAME_SENSOR, NULL},
    {AFTER("sensor"), "framezaxis", "objtype='site' objname='s'", FRAME_SENSOR, NULL},
    {AFTER("sensor"), "framelinvel", "objtype='site' objname='s'", FRAME_SENSOR, NULL},
    {AFTER("sensor"), "frameangvel", "objtype='site' objname='s'", FRAME_SENSOR, NULL},
    {AFTER("sensor"), "framelinacc", "objtype='site' objname='s'", SENSOR, NULL},
    {AFTER("sensor"), "frameangacc", "objtype='site' objname='s'", SENSOR, NULL},
    {AFTER("sensor"), "subtreecom", "body='b'", SENSOR, NULL},
    {AFTER("sensor"), "subtreelinvel", "body='b'", SENSOR, NULL},
    {AFTER("sensor"), "subtreeangmom", "body='b'", SENSOR, NULL},
    {AFTER("sensor"), "insidesite", "site='s' objtype='site' objname='t'", SENSOR, NULL},
    {AFTER("sensor"), "distance", "geom1='g' geom2='h'", SENSOR, NULL},
    {AFTER("sensor"), "normal", "geom1='g' geom2='h'", SENSOR, NULL},
    {AFTER("sensor"), "fromto", "geom1='g' geom2='h'", SENSOR, NULL},
    {AFTER("sensor"), "contact", "geom1='g'", SENSOR, NULL},
    {AFTER("sensor"), "e_potential", "", SENSOR, NULL},
    {AFTER("sensor"), "e_kinetic", "", SENSOR, NULL},
    {AFTER("sensor"), "clock", "", SENSOR, NULL},
    {AFTER("sensor"), "tactile", "geom='g'", SENSOR, NULL},
    {AFTER("sensor"), "user", "dim='1'", SENSOR, NULL},
    {AFTER("sensor"), "plugin", "plugin='p'", SENSOR, NULL},
    /* states */
    {AFTER("keyframe"), "key", "",
     "name=n|time=1|qpos=0.1 0.2 0 0 9 1 0 0 0|qvel=1 2 0 0 0 0 0 0|act=1|ctrl=|mpos=0 0 0|mquat=1 0 0 0", NULL},
};

#endif
