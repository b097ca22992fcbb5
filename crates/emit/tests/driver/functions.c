// Calls functions as it is told on its input, and writes what they write.
typedef int (*test_function)(norn_worker *, u8 *, u8 *, u8 *, u8 *, i64);
static test_function test_functions[];

int main(void) {
  norn_worker *w = host_begin();
  i64 head[6];
  while (fread(head, sizeof head, 1, stdin) == 1) {
    u8 *place[4];
    for (int i = 0; i < 4; i++) place[i] = calloc(head[2 + i] + 1, 1);
    for (int i = 0; i < 3; i++)
      if (head[2 + i] && fread(place[i], head[2 + i], 1, stdin) != 1) return 1;
    if (test_functions[head[0]](w, place[0], place[1], place[2], place[3], head[1])) return 1;
    fwrite(place[3], head[5], 1, stdout);
    for (int i = 0; i < 4; i++) free(place[i]);
  }
  return 0;
}
