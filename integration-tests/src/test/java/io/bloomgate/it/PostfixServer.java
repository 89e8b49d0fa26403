package io.bloomgate.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;

/**
 * A real Postfix in a test's own folder, on loopback. Tests that start it are skipped where Postfix
 * is not installed or the test does not run as root.
 */
final class PostfixServer implements AutoCloseable {

  private static final Path POSTFIX = Path.of("/usr/sbin/postfix");

  private static final String MAIN_CF =
      """
      compatibility_level = 3.6
      queue_directory = FOLDER/q
      data_directory = FOLDER/data
      command_directory = /usr/sbin
      daemon_directory = /usr/lib/postfix/sbin
      meta_directory = /etc/postfix
      shlib_directory = /usr/lib/postfix
      maillog_file = FOLDER/maillog
      maillog_file_prefixes = /
      inet_interfaces = 127.0.0.1
      inet_protocols = all
      myhostname = postfix.example.com
      mydestination =
      mynetworks =
      relay_domains = example.com
      smtpd_relay_restrictions = reject_unauth_destination
      smtpd_tls_security_level =
      disable_dns_lookups = yes
      smtpd_peername_lookup = no
      smtpd_error_sleep_time = 0
      local_recipient_maps =
      alias_maps =
      alias_database =
      """;

  private static final String SERVICES =
      """
      cleanup unix n - n - 0 cleanup
      rewrite unix - - n - - trivial-rewrite
      anvil unix - - n - 1 anvil
      proxymap unix - - n - - proxymap
      tlsmgr unix - - n 1000? 1 tlsmgr
      qmgr unix n - n 300 1 qmgr
      bounce unix - - n - 0 bounce
      postlog unix-dgram n - n - 1 postlogd
      """;

  private static final List<String> QUEUES =
      List.of(
          "active",
          "bounce",
          "corrupt",
          "defer",
          "deferred",
          "flush",
          "hold",
          "incoming",
          "maildrop",
          "private",
          "public",
          "saved",
          "trace");

  private final Path folder;

  private PostfixServer(Path folder) {
    this.folder = folder;
  }

  /**
   * Starts it and waits until it listens.
   *
   * @param main lines for main.cf, behind those that every test needs
   * @param listeners lines for master.cf
   * @param ports of 127.0.0.1 that the listeners have
   */
  static PostfixServer start(Path folder, String main, String listeners, int... ports)
      throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(POSTFIX), "Postfix is not installed");
    assumeTrue("root".equals(System.getProperty("user.name")), "Postfix is started by root only");
    // Its daemons run as another user.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(folder.resolve("etc"));
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.setOwner(data, users(folder).lookupPrincipalByName("postfix"));
    makeQueue(folder.resolve("q"));
    Files.writeString(
        folder.resolve("etc/main.cf"), MAIN_CF.replace("FOLDER", folder.toString()) + main);
    Files.writeString(folder.resolve("etc/master.cf"), listeners + SERVICES);
    PostfixServer server = new PostfixServer(folder);
    assumeTrue(server.run("start") == 0, "this Postfix does not start here");
    for (int port : ports) {
      Conditions.await("Postfix listens on " + port, () -> listens(port));
    }
    return server;
  }

  /** With the file that spares a start the look at all folders: ten times the time of the rest. */
  private static void makeQueue(Path queue) throws IOException {
    for (String name : QUEUES) {
      Path each = Files.createDirectories(queue.resolve(name));
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwx------"));
      Files.setOwner(each, users(queue).lookupPrincipalByName("postfix"));
    }
    for (String name : List.of("maildrop", "public")) {
      Path each = queue.resolve(name);
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwx-wx---"));
      Files.getFileAttributeView(each, PosixFileAttributeView.class)
          .setGroup(users(queue).lookupPrincipalByGroupName("postdrop"));
    }
    Files.createDirectories(queue.resolve("pid"));
    Files.createFile(queue.resolve("quick-start"));
  }

  private static UserPrincipalLookupService users(Path folder) {
    return folder.getFileSystem().getUserPrincipalLookupService();
  }

  /** Its log. */
  Path log() {
    return folder.resolve("maillog");
  }

  private int run(String command) throws IOException, InterruptedException {
    return new ProcessBuilder(POSTFIX.toString(), "-c", folder.resolve("etc").toString(), command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("postfix." + command).toFile())
        .start()
        .waitFor();
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** As {@code postfix stop} does it, which looks once a second only whether the master is gone. */
  @Override
  public void close() throws IOException {
    List<ProcessHandle> all = processes();
    all.stream().limit(1).forEach(ProcessHandle::destroy);
    ProcessTree.awaitEnd(all);
  }

  /** The master, then its daemons; none when it has ended by itself. */
  private List<ProcessHandle> processes() throws IOException {
    Path pid = folder.resolve("q/pid/master.pid");
    return Files.exists(pid)
        ? ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
            .map(ProcessTree::of)
            .orElse(List.of())
        : List.of();
  }
}
