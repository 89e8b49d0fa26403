package io.bloomgate.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Dovecot of a test's own that speaks nothing but LMTP, on loopback, with all its files in the
 * test's folder: mailboxes of {@code bob}, {@code alice} and {@code full} at example.com, the last
 * one with room for {@value #FULL_OCTETS} octets.
 */
final class DovecotServer implements AutoCloseable {

  /** The quota of full@example.com. */
  static final int FULL_OCTETS = 100;

  private static final Path DOVECOT = Path.of("/usr/sbin/dovecot");

  /** The settings changed their names in 2.4. */
  private static final String VERSION = "2.3.";

  private static final String LISTENER =
      """
      service lmtp {
        inet_listener lmtp {
          port = PORT
        }
      }
      login_trusted_networks = 127.0.0.1
      """;

  private final Path folder;
  private final Listener listener;
  private Process process;

  /**
   * Where it listens, and whom it trusts.
   *
   * @param lines in its settings that have the address and the port
   */
  record Listener(String address, int port, String lines) {}

  private DovecotServer(Path folder, Listener listener) throws IOException {
    this.folder = folder;
    this.listener = listener;
    prepare();
    this.process = launch();
  }

  /** Starts one, or skips the test where there is none that can be started. */
  static DovecotServer startOrSkip(Path folder) throws IOException {
    int port = FreePort.next();
    return startOrSkip(
        folder, new Listener("127.0.0.1", port, LISTENER.replace("PORT", String.valueOf(port))));
  }

  /** The same with a test's own listener. */
  static DovecotServer startOrSkip(Path folder, Listener listener) throws IOException {
    assumeTrue(Files.isExecutable(DOVECOT), "Dovecot is not installed");
    assumeTrue(version().startsWith(VERSION), "this Dovecot is not a " + VERSION + "x");
    DovecotServer server = new DovecotServer(folder, listener);
    Conditions.await("Dovecot listens", () -> server.listens() || !server.process.isAlive());
    assumeTrue(server.process.isAlive(), () -> "this Dovecot does not start: " + server.output());
    return server;
  }

  private static String version() throws IOException {
    Process asked = new ProcessBuilder(DOVECOT.toString(), "--version").start();
    return new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  private void prepare() throws IOException {
    Path mail = Files.createDirectories(folder.resolve("mail"));
    Path heard = Files.createDirectories(folder.resolve("heard"));
    Files.setPosixFilePermissions(heard, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(
        folder.resolve("users"),
        """
        bob@example.com:{PLAIN}x::::::
        alice@example.com:{PLAIN}x::::::
        full@example.com:{PLAIN}x::::::userdb_quota_rule=*:bytes=%d
        """
            .formatted(FULL_OCTETS));
    String user = System.getProperty("user.name");
    String group = Files.readAttributes(mail, PosixFileAttributes.class).group().getName();
    if ("root".equals(user)) {
      // It writes no mail as root. This user and this group come with it.
      user = "dovecot";
      group = "dovecot";
      Files.setOwner(
          mail, mail.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
    }
    Files.writeString(folder.resolve("dovecot.conf"), settings(user, group));
  }

  private String settings(String user, String group) {
    return """
    base_dir = FOLDER/run
    state_dir = FOLDER/state
    log_path = FOLDER/dovecot.log
    protocols = lmtp
    listen = 127.0.0.1
    ssl = no
    hostname = dovecot.example.com
    default_internal_user = USER
    default_internal_group = GROUP
    default_login_user = USER
    service anvil {
      chroot =
    }
    LISTENER
    lmtp_rawlog_dir = FOLDER/heard
    passdb {
      driver = passwd-file
      args = FOLDER/users
    }
    userdb {
      driver = passwd-file
      args = FOLDER/users
    }
    first_valid_uid = 1
    mail_uid = USER
    mail_gid = GROUP
    mail_home = FOLDER/mail/%n
    mail_location = maildir:~/Maildir
    mail_save_crlf = yes
    mail_plugins = quota
    plugin {
      quota = maildir
    }
    """
        .replace("FOLDER", folder.toString())
        .replace("USER", user)
        .replace("GROUP", group)
        .replace("LISTENER", listener.lines());
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(
            DOVECOT.toString(), "-F", "-c", folder.resolve("dovecot.conf").toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("dovecot.out").toFile())
        .start();
  }

  private boolean listens() {
    return UnpackedPackage.listens(listener.address(), listener.port());
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("dovecot.out"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  int port() {
    return listener.port();
  }

  /**
   * SIGKILL to it and to everyone who works for it; their connections break off. Returns when the
   * last of those who could take mail is gone: all of them hold the socket that listens.
   */
  void kill() throws IOException {
    ProcessTree.kill(process.toHandle());
    Conditions.await("Dovecot is gone", () -> !listens());
  }

  /** After {@link #kill}, with the mailboxes as they were. */
  void startAgain() throws IOException {
    process = launch();
    Conditions.await("Dovecot listens again", this::listens);
  }

  /** What lies in a mailbox, each message octet for octet, in no order. */
  List<String> mailbox(String name) throws IOException {
    Path delivered = folder.resolve("mail/" + name + "/Maildir/new");
    return Files.isDirectory(delivered) ? contents(delivered) : List.of();
  }

  /** What clients said to it so far, a text for each connection, those of probes included. */
  List<String> heard() throws IOException {
    // Every piece of input follows its time.
    return contents(folder.resolve("heard")).stream()
        .map(text -> text.replaceAll("(?m)^\\d+\\.\\d+ ", ""))
        .toList();
  }

  private static List<String> contents(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.filter(file -> !file.toString().endsWith(".out")).toList();
    }
    List<String> contents = new ArrayList<>(files.size());
    for (Path file : files) {
      contents.add(Files.readString(file, StandardCharsets.ISO_8859_1));
    }
    return contents;
  }

  @Override
  public void close() throws IOException {
    kill();
  }
}
