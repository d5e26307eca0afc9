/* Where the files are that a robot's file names.
 *
 * package://NAME/REST is a file of the package NAME, which ROS finds by its own tables. Without them it is looked for where
 * a package that holds the robot would be: NAME/REST, then REST, in the robot's folder and those above it. Collections often
 * keep a robot without its package, so at last the ends of REST are looked for in the robot's folder. */
#include "robots/robot.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* How many folders upwards a package is looked for. */
enum { LEVELS_MOST = 8 };

bool crn_robot_is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool crn_robot_is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* folder (length characters, with its '/' or empty) and name: is there such a file? Keeps the first that was tried in path
 * if none is. */
static bool try_path(char path[CRN_ROBOT_PATH_SIZE], const char *folder, size_t length, const char *name)
{
    char tried[CRN_ROBOT_PATH_SIZE];
    int size = length < sizeof tried ? snprintf(tried, sizeof tried, "%.*s%s", (int)length, folder, name) : -1;
    if (size < 0 || (size_t)size >= sizeof tried) {
        return false;
    }
    bool is_there = crn_robot_is_file(tried);
    if (is_there || path[0] == '\0') {
        memcpy(path, tried, (size_t)size + 1);
    }
    return is_there;
}

/* Length of the folder of a path, with its '/'. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* In the robot's folder and those above it. */
static bool find_upwards(const char *robot, const char *name, char path[CRN_ROBOT_PATH_SIZE])
{
    char folder[CRN_ROBOT_PATH_SIZE];
    size_t length = folder_length(robot);
    if (length + (size_t)3 * (LEVELS_MOST + 1) >= sizeof folder) {
        return false;
    }
    memcpy(folder, robot, length);
    for (int level = 0; level <= LEVELS_MOST; ++level) {
        if (try_path(path, folder, length, name)) {
            return true;
        }
        memcpy(folder + length, "../", sizeof "../");
        length += 3;
    }
    return false;
}

/* NAME/REST, then REST, then the ends of REST. */
static bool find_in_package(const char *robot, const char *name, char path[CRN_ROBOT_PATH_SIZE])
{
    const char *slash = strchr(name, '/'), *rest = slash != NULL ? slash + 1 : name;
    if (find_upwards(robot, name, path) || find_upwards(robot, rest, path)) {
        return true;
    }
    for (slash = strchr(rest, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        if (try_path(path, robot, folder_length(robot), slash + 1)) {
            return true;
        }
    }
    return false;
}

/* What follows a scheme ("package://"); NULL if the name has another. */
static const char *after(const char *name, const char *scheme)
{
    size_t length = strlen(scheme);
    return strncmp(name, scheme, length) == 0 ? name + length : NULL;
}

bool crn_robot_find_file(const char *robot, const char *package_path, const char *name, char path[CRN_ROBOT_PATH_SIZE])
{
    path[0] = '\0';
    const char *absolute = after(name, "file://");
    if (absolute != NULL) {
        return try_path(path, "", 0, absolute);
    }
    const char *package = after(name, "package://");
    package = package != NULL ? package : after(name, "model://");
    if (package != NULL &&
        package[0] == '/') { /* no package: an absolute path, or one below a folder above the robot */
        if (try_path(path, "", 0, package)) {
            return true;
        }
        path[0] = '\0';
        package += strspn(package, "/");
    }
    if (package != NULL && package_path != NULL) {
        const char *slash = strchr(package, '/');
        char rest[CRN_ROBOT_PATH_SIZE];
        int size = snprintf(rest, sizeof rest, "/%s", slash != NULL ? slash + 1 : package);
        return size > 0 && (size_t)size < sizeof rest && try_path(path, package_path, strlen(package_path), rest);
    }
    if (package != NULL) {
        return find_in_package(robot, package, path);
    }
    return try_path(path, robot, name[0] == '/' ? 0 : folder_length(robot), name);
}
