/* A clock on the wall that jumps: loaded before the C library, it adds the seconds that stand in the
   file of JUMPING_CLOCK. Clocks that only measure how long something takes are left alone. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
    static volatile long *seconds = NULL;
    if (seconds == NULL) {
        static long none = 0;
        const char *path = getenv("JUMPING_CLOCK");
        int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
        void *mapped = MAP_FAILED;
        if (file >= 0) {
            mapped = mmap(NULL, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
            close(file);
        }
        seconds = mapped == MAP_FAILED ? &none : mapped;
    }
    return *seconds;
}

int clock_gettime(clockid_t which, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *) = NULL;
    if (real == NULL)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(which, now);
    if (status == 0 && which == CLOCK_REALTIME)
        now->tv_sec += offset();
    return status;
}

time_t time(time_t *kept) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (kept != NULL)
        *kept = now.tv_sec;
    return now.tv_sec;
}
