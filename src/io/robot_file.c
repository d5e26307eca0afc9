/* Where the files are that a robot's file names.
 *
 * package://NAME/REST is a file of the package NAME, which ROS finds by its own tables. Without them it is looked for where
 * a package that holds the robot would be: NAME/REST and REST in the robot's folder and those above it. Collections often
 * keep a robot without its package, so at last the ends of REST are looked for in the robot's folder. */
#include "io/robot.h"

#include <stdio.h>
#include <string.h>

/* How many folders upwards a package is looked for. */
enum { LEVELS_MOST = 8 };

static bool is_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    char byte;
    bool is_read = fread(&byte, 1, 1, file) == 1 || feof(file); /* a folder opens, but cannot be read */
    (void)fclose(file);
    return is_read;
}

/* folder (length characters, with its '/' or empty) and parts of a name; is there such a file? Keeps the first that was
 * tried in path if none is. */
static bool try_path(char path[CRN_ROBOT_PATH_SIZE], const char *folder, size_t length, const char *a, const char *b)
{
    char tried[CRN_ROBOT_PATH_SIZE];
    int size = snprintf(tried, sizeof tried, "%.*s%s%s", (int)length, folder, a, b);
    if (size < 0 || (size_t)size >= sizeof tried) {
        return false;
    }
    bool is_there = is_file(tried);
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

/* NAME/REST, then REST, in the robot's folder and above; then the ends of REST. */
static bool find_in_package(const char *robot, const char *name, char path[CRN_ROBOT_PATH_SIZE])
{
    static const char up[] = "../../../../../../../../";
    _Static_assert(sizeof up - 1 == (size_t)3 * LEVELS_MOST, "one step per level");
    size_t folder = folder_length(robot);
    const char *slash = strchr(name, '/'), *rest = slash != NULL ? slash + 1 : name;
    for (int level = 0; level <= LEVELS_MOST; ++level) {
        char above[sizeof up];
        (void)snprintf(above, sizeof above, "%.*s", 3 * level, up);
        char whole[CRN_ROBOT_PATH_SIZE];
        int size = snprintf(whole, sizeof whole, "%.*s%s", (int)folder, robot, above);
        if (size < 0 || (size_t)size >= sizeof whole) {
            return false;
        }
        if (try_path(path, whole, (size_t)size, name, "") || try_path(path, whole, (size_t)size, rest, "")) {
            return true;
        }
    }
    for (slash = strchr(rest, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        if (try_path(path, robot, folder, slash + 1, "")) {
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
        return try_path(path, "", 0, absolute, "");
    }
    const char *package = after(name, "package://");
    package = package != NULL ? package : after(name, "model://");
    if (package != NULL && package_path != NULL) {
        const char *slash = strchr(package, '/');
        return try_path(path, package_path, strlen(package_path), "/", slash != NULL ? slash + 1 : package);
    }
    if (package != NULL) {
        return find_in_package(robot, package, path);
    }
    return try_path(path, robot, name[0] == '/' ? 0 : folder_length(robot), name, "");
}
