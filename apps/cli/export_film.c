/* A film, written by ffmpeg. It is started without a shell, so that names mean nothing but themselves; what it says goes into
 * a file without a name, so that it never waits for us to read it. */
#include "export_film.h"

#include <cairn/io.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct export_film {
    const char *path;     /* the film */
    crn_io_output output; /* ffmpeg writes its part file */
    size_t picture;       /* bytes */
    pid_t process;
    int pipe;    /* to it */
    FILE *words; /* what it says */
    struct sigaction before;
};

/* A reader that ends must not end us. */
static void ignore_broken_pipes(export_film *film)
{
    struct sigaction ignore;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, &film->before);
}

static int start(export_film *film, int reading, char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0) {
        return failed;
    }
    failed = posix_spawn_file_actions_adddup2(&actions, reading, STDIN_FILENO);
    failed = failed != 0 ? failed : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    failed = failed != 0 ? failed : posix_spawn_file_actions_adddup2(&actions, fileno(film->words), STDERR_FILENO);
    failed = failed != 0 ? failed : posix_spawnp(&film->process, "ffmpeg", &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static int run_ffmpeg(export_film *film, int reading, int width, int height, double fps)
{
    char size[32], rate[32], output[CRN_IO_PATH + 8];
    (void)snprintf(size, sizeof size, "%dx%d", width, height);
    (void)snprintf(rate, sizeof rate, "%.9g", fps);
    (void)snprintf(output, sizeof output, "file:%s", film->output.part);
    const char *arguments[] = {"ffmpeg",   "-hide_banner", "-loglevel", "error",   "-nostats",  "-y",         "-f",
                               "rawvideo", "-pix_fmt",     "rgb24",     "-s",      size,        "-r",         rate,
                               "-i",       "pipe:0",       "-an",       "-c:v",    "libx264",   "-preset",    "medium",
                               "-crf",     "18",           "-pix_fmt",  "yuv420p", "-movflags", "+faststart", "-f",
                               "mp4",      output,         NULL};
    return start(film, reading, (char *const *)arguments);
}

static void release(export_film *film)
{
    if (film->pipe >= 0) {
        (void)close(film->pipe);
    }
    if (film->words != NULL) {
        (void)fclose(film->words);
    }
    free(film);
}

static crn_status launch(export_film *film, int width, int height, double fps, crn_error *error)
{
    int ends[2];
    film->words = tmpfile();
    if (film->words == NULL || pipe(ends) != 0) {
        return crn_fail(error, CRN_ERR_IO, "%s: ffmpeg cannot be started: %s", film->path, strerror(errno));
    }
    film->pipe = ends[1];
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int failed = run_ffmpeg(film, ends[0], width, height, fps);
    (void)close(ends[0]);
    if (failed == ENOENT) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED,
                        "%s: films need ffmpeg, which is not installed; PNG frames work without it (-o folder/)",
                        film->path);
    }
    return failed == 0 ? CRN_OK
                       : crn_fail(error, CRN_ERR_IO, "%s: ffmpeg cannot be started: %s", film->path, strerror(failed));
}

crn_status export_film_open(const char *path, int width, int height, double fps, export_film **film, crn_error *error)
{
    *film = calloc(1, sizeof **film);
    if (*film == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "film: out of memory");
    }
    (*film)->pipe = -1;
    (*film)->picture = 3 * (size_t)width * (size_t)height;
    (*film)->path = path;
    crn_status status = crn_io_output_open(&(*film)->output, path, error);
    if (status == CRN_OK) {
        status = launch(*film, width, height, fps, error);
    }
    if (status == CRN_OK) {
        ignore_broken_pipes(*film);
    } else {
        (void)crn_io_output_close(&(*film)->output, status, NULL);
        release(*film);
        *film = NULL;
    }
    return status;
}

bool export_film_add(export_film *film, const unsigned char *rgb)
{
    size_t sent = 0;
    while (sent < film->picture) {
        ssize_t count = write(film->pipe, rgb + sent, film->picture - sent);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        sent += count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* Close the pipe and wait; true: ffmpeg says that all is well. */
static bool finish(export_film *film)
{
    int status = -1;
    (void)close(film->pipe);
    film->pipe = -1;
    while (waitpid(film->process, &status, 0) < 0 && errno == EINTR) {
    }
    (void)sigaction(SIGPIPE, &film->before, NULL);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The last line that is not empty, without its end. */
static const char *last_words(FILE *words, char *line, size_t size)
{
    char next[512];
    (void)snprintf(line, size, "no reason given");
    rewind(words);
    while (fgets(next, sizeof next, words) != NULL) {
        next[strcspn(next, "\r\n")] = '\0';
        if (next[0] != '\0') {
            (void)snprintf(line, size, "%.*s", (int)size - 1, next);
        }
    }
    return line;
}

crn_status export_film_close(export_film *film, crn_error *error)
{
    char line[160];
    crn_status status = CRN_OK;
    if (!finish(film)) {
        status = crn_fail(error, CRN_ERR_IO, "%s: ffmpeg failed: %s", film->path,
                          last_words(film->words, line, sizeof line));
    }
    status = crn_io_output_close(&film->output, status, error);
    release(film);
    return status;
}

void export_film_drop(export_film *film)
{
    (void)kill(film->process, SIGTERM);
    (void)finish(film);
    (void)crn_io_output_close(&film->output, CRN_ERR_IO, NULL);
    release(film);
}
