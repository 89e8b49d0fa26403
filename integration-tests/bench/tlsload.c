/* tlsload: the clients and the mail server of tls.sh, in C with OpenSSL so that they cost far less than what is measured.
 * Build: cc -O2 -o tlsload tlsload.c -lssl -lcrypto -lpthread. Loopback only; any certificate is taken. A thread a connection.
 *
 *   tlsload send [options] PORT    sends mails, and prints seconds, sessions, mails, handshakes full and resumed, failures, and milliseconds
 *                                  of a session (median, 99 %)
 *     -n sessions  -s at the same time  -k mails a session  -l octets a mail  -t none|starttls|implicit
 *     -r resume the session before   -2 TLS 1.2
 *   tlsload hold [-t ..] [-n sessions] PORT    opens sessions up to EHLO, says "held N", waits for the end of its input, says "open N"
 *   tlsload serve [-c PEM] [-o] PORT           a mail server that takes everything, and offers STARTTLS with certificate and key
 *                                              of PEM; -o: no session can be resumed. NOOP is answered with counts */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_SECONDS 300
#define SESSIONS_PER_ADDRESS 200
#define GROUPS "X25519:P-256" /* the same with each release of OpenSSL */

struct conn {
  int fd;
  SSL *ssl;
  char in[8192];
  size_t at, have;
};

enum tls { NONE, STARTTLS, IMPLICIT };

static int port, sessions = 1000, parallel = 20, mails = 1, octets = 4096, resume, one_use, only_tls12;
static enum tls tls = STARTTLS;
static const char *pem;
static SSL_CTX *context;
static char *message;
static size_t message_octets;
static atomic_long begun, full, resumed, failed, taken;
static double *took;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

/* ---- a connection */

static int put(struct conn *c, const char *what, size_t length) {
  while (length > 0) {
    ssize_t n = c->ssl ? SSL_write(c->ssl, what, length) : send(c->fd, what, length, MSG_NOSIGNAL);
    if (n <= 0) return -1;
    what += n;
    length -= n;
  }
  return 0;
}

static int say(struct conn *c, const char *line) { return put(c, line, strlen(line)); }

static int fill(struct conn *c) {
  c->at = 0;
  ssize_t n = c->ssl ? SSL_read(c->ssl, c->in, sizeof c->in) : recv(c->fd, c->in, sizeof c->in, 0);
  c->have = n > 0 ? n : 0;
  return n > 0 ? 0 : -1;
}

/* Reads one line without its end, cut to the room for it; -1 at the end of the connection. */
static int line(struct conn *c, char *to, size_t room) {
  size_t n = 0;
  for (;;) {
    if (c->at == c->have && fill(c) < 0) return -1;
    char octet = c->in[c->at++];
    if (octet == '\n') break;
    if (octet != '\r' && n + 1 < room) to[n++] = octet;
  }
  to[n] = 0;
  return n;
}

/* The code of a whole reply; -1 at the end of the connection. */
static int reply(struct conn *c) {
  char text[512];
  do {
    if (line(c, text, sizeof text) < 0) return -1;
  } while (text[0] && text[1] && text[2] && text[3] == '-');
  return atoi(text);
}

static int ask(struct conn *c, const char *command, int code) { return say(c, command) == 0 && reply(c) == code ? 0 : -1; }

static void prepare(int fd) {
  int one = 1;
  struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

static int secure(struct conn *c, SSL_SESSION *before) {
  SSL *ssl = SSL_new(context);
  SSL_set_fd(ssl, c->fd);
  if (before) SSL_set_session(ssl, before);
  int done = pem ? SSL_accept(ssl) : SSL_connect(ssl);
  if (done != 1) {
    SSL_free(ssl);
    ERR_clear_error();
    return -1;
  }
  atomic_fetch_add(SSL_session_reused(ssl) ? &resumed : &full, 1);
  c->ssl = ssl;
  c->at = c->have = 0;
  return 0;
}

static void hang_up(struct conn *c) {
  if (c->ssl) SSL_free(c->ssl);
  c->ssl = NULL;
  if (c->fd >= 0) close(c->fd);
  c->fd = -1;
}

/* ---- clients */

static int open_from(struct conn *c, in_addr_t source) {
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(source)};
  struct sockaddr_in other = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1;
  memset(c, 0, sizeof *c);
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (c->fd < 0) return -1;
  setsockopt(c->fd, SOL_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
  prepare(c->fd);
  return bind(c->fd, (void *)&own, sizeof own) || connect(c->fd, (void *)&other, sizeof other) ? -1 : 0;
}

/* From the greeting to the EHLO behind the handshake. */
static int greet(struct conn *c, SSL_SESSION *before) {
  const char *ehlo = "EHLO client.example\r\n";
  if (tls == IMPLICIT && secure(c, before)) return -1;
  if (reply(c) != 220 || ask(c, ehlo, 250)) return -1;
  if (tls != STARTTLS) return 0;
  return ask(c, "STARTTLS\r\n", 220) || secure(c, before) || ask(c, ehlo, 250) ? -1 : 0;
}

static int mail(struct conn *c) {
  return ask(c, "MAIL FROM:<clean@clean.example>\r\n", 250) || ask(c, "RCPT TO:<user@dest.example>\r\n", 250) || ask(c, "DATA\r\n", 354) ||
                 put(c, message, message_octets) || reply(c) != 250
             ? -1
             : 0;
}

static void *sender(void *number) {
  SSL_SESSION *ticket = NULL;
  struct conn c;
  for (long i; (i = atomic_fetch_add(&begun, 1)) < sessions;) {
    double start = now();
    int fault = open_from(&c, 0x7f4d0001 + (long)number % 250) || greet(&c, ticket);
    for (int k = 0; k < mails && !fault; k++) {
      fault = mail(&c);
      if (!fault) atomic_fetch_add(&taken, 1);
    }
    if (!fault && resume && c.ssl) {
      SSL_SESSION *fresh = SSL_get1_session(c.ssl);
      if (ticket) SSL_SESSION_free(ticket);
      ticket = fresh;
    }
    if (fault || ask(&c, "QUIT\r\n", 221)) atomic_fetch_add(&failed, 1);
    if (c.ssl) SSL_shutdown(c.ssl);
    hang_up(&c);
    took[i] = now() - start;
  }
  return NULL;
}

static int in_order(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return a < b ? -1 : a > b;
}

static int send_all(void) {
  pthread_t *threads = calloc(parallel, sizeof *threads);
  took = calloc(sessions, sizeof *took);
  message = malloc(octets + 1024);
  message_octets = sprintf(message, "From: <clean@clean.example>\r\nTo: <user@dest.example>\r\nSubject: bench\r\n"
                                    "Date: Mon, 30 Nov 2026 00:00:00 +0000\r\nMessage-Id: <%d@bench.example>\r\n\r\n", getpid());
  while (message_octets < (size_t)octets) message_octets += sprintf(message + message_octets, "%.*s\r\n", 76,
      "the quick brown fox jumps over the lazy dog and nobody knows why it does so ....");
  message_octets += sprintf(message + message_octets, ".\r\n");
  double start = now();
  for (long i = 0; i < parallel; i++) pthread_create(&threads[i], NULL, sender, (void *)i);
  for (int i = 0; i < parallel; i++) pthread_join(threads[i], NULL);
  double seconds = now() - start;
  qsort(took, sessions, sizeof *took, in_order);
  printf("seconds=%.3f sessions=%d mails=%ld full=%ld resumed=%ld failed=%ld p50_ms=%.2f p99_ms=%.2f\n", seconds, sessions, (long)taken,
         (long)full, (long)resumed, (long)failed, took[sessions / 2] * 1e3, took[(long)sessions * 99 / 100] * 1e3);
  return failed > 0;
}

static struct conn *held;

static void *holder(void *nothing) {
  for (long i; (i = atomic_fetch_add(&begun, 1)) < sessions;) /* each address in another /24, so that no network holds too many */
    if (open_from(&held[i], 0x7f000101 + (i / SESSIONS_PER_ADDRESS) * 256) || greet(&held[i], NULL)) {
      atomic_fetch_add(&failed, 1);
      hang_up(&held[i]);
    }
  return nothing;
}

static int hold_all(void) {
  pthread_t threads[8];
  held = calloc(sessions, sizeof *held);
  for (int i = 0; i < 8; i++) pthread_create(&threads[i], NULL, holder, NULL);
  for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
  printf("held %ld\n", sessions - failed);
  fflush(stdout);
  while (getchar() != EOF) continue;
  long open = 0;
  for (int i = 0; i < sessions; i++) {
    struct pollfd look = {.fd = held[i].fd, .events = POLLIN};
    open += held[i].fd >= 0 && poll(&look, 1, 0) == 0;
    hang_up(&held[i]);
  }
  printf("open %ld\n", open);
  return 0;
}

/* ---- mail server */

static int content(struct conn *c) {
  static const char end[] = "\r\n.\r\n";
  int matched = 2; /* the line before is at its end */
  while (matched < 5) {
    if (c->at == c->have && fill(c) < 0) return -1;
    char octet = c->in[c->at++];
    if (octet == end[matched]) matched++;
    else matched = octet == '\r' ? 1 : 0;
  }
  return 0;
}

static int answer(struct conn *c, const char *command) {
  char text[128];
  if (!strncasecmp(command, "EHLO", 4))
    return say(c, pem && !c->ssl ? "250-sink.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-STARTTLS\r\n250 SMTPUTF8\r\n"
                                 : "250-sink.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n");
  if (!strncasecmp(command, "STARTTLS", 8)) return say(c, "220 2.0.0 go\r\n") || secure(c, NULL) ? -1 : 0;
  if (!strncasecmp(command, "NOOP", 4)) {
    snprintf(text, sizeof text, "250 mails=%ld full=%ld resumed=%ld\r\n", (long)taken, (long)full, (long)resumed);
    return say(c, text);
  }
  if (!strncasecmp(command, "DATA", 4)) {
    if (say(c, "354 go\r\n") || content(c)) return -1;
    atomic_fetch_add(&taken, 1);
  }
  if (!strncasecmp(command, "QUIT", 4)) {
    say(c, "221 2.0.0 bye\r\n");
    return -1;
  }
  return say(c, "250 2.0.0 ok\r\n");
}

static void *server(void *accepted) {
  struct conn *c = accepted;
  char command[1024];
  int going = say(c, "220 sink.example ESMTP\r\n");
  while (going == 0 && line(c, command, sizeof command) >= 0) going = answer(c, command);
  if (c->ssl) SSL_shutdown(c->ssl);
  hang_up(c);
  free(c);
  return NULL;
}

static int serve_all(void) {
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1, listening = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listening, (void *)&own, sizeof own) || listen(listening, 4000)) {
    perror("tlsload serve");
    return 1;
  }
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&small, 256 * 1024);
  for (;;) {
    struct conn *c = calloc(1, sizeof *c);
    c->fd = accept(listening, NULL, NULL);
    pthread_t thread;
    if (c->fd >= 0) prepare(c->fd);
    if (c->fd < 0 || pthread_create(&thread, &small, server, c)) {
      hang_up(c);
      free(c);
    }
  }
}

static void usage(void) {
  fputs("usage: tlsload send|hold|serve [-n sessions] [-s parallel] [-k mails] [-l octets] [-t none|starttls|implicit] [-r] [-2] [-c PEM] [-o] PORT\n", stderr);
  exit(2);
}

int main(int count, char **words) {
  int option;
  if (count < 3) usage();
  const char *what = words[1];
  optind = 2;
  while ((option = getopt(count, words, "n:s:k:l:t:r2c:o")) != -1) switch (option) {
    case 'n': sessions = atoi(optarg); break;
    case 's': parallel = atoi(optarg); break;
    case 'k': mails = atoi(optarg); break;
    case 'l': octets = atoi(optarg); break;
    case 't': tls = !strcmp(optarg, "none") ? NONE : !strcmp(optarg, "implicit") ? IMPLICIT : STARTTLS; break;
    case 'r': resume = 1; break;
    case '2': only_tls12 = 1; break;
    case 'c': pem = optarg; break;
    case 'o': one_use = 1; break;
    default: usage();
    }
  if (optind != count - 1 || sessions < 1 || parallel < 1 || mails < 1 || octets < 1) usage();
  port = atoi(words[optind]);
  signal(SIGPIPE, SIG_IGN);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  context = SSL_CTX_new(pem ? TLS_server_method() : TLS_client_method());
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set1_groups_list(context, GROUPS);
  if (only_tls12) SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
  if (one_use) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
  }
  if (pem) SSL_CTX_set_session_id_context(context, (const unsigned char *)"tlsload", 7);
  if (pem && (SSL_CTX_use_certificate_chain_file(context, pem) != 1 || SSL_CTX_use_PrivateKey_file(context, pem, SSL_FILETYPE_PEM) != 1)) {
    fprintf(stderr, "tlsload: no certificate and key in %s\n", pem);
    return 2;
  }
  if (!strcmp(what, "send")) return send_all();
  if (!strcmp(what, "hold")) return hold_all();
  if (!strcmp(what, "serve")) return serve_all();
  usage();
  return 2;
}
