package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlClient.Collected;
import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Users of real groups at a real control socket, each in a separate process. Makes users and groups
 * of the system and takes them away again, so only as root.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SocketRolesStoryTest {

  private static final String READERS = "bgtest-readers";
  private static final String SUPPORT = "bgtest-support";
  private static final String ADMINS = "bgtest-admins";
  private static final List<String> GROUPS = List.of(READERS, SUPPORT, ADMINS);

  /** A user of each group, and one of none; all have the group nogroup too. */
  private static final List<String> USERS =
      List.of("bgtest-reader", "bgtest-helper", "bgtest-admin", "bgtest-nobody");

  private static final String NO_GROUP = "nogroup";

  /** Sends its first argument to the socket that the second names, and prints the answer. */
  private static final String CLIENT =
      """
      use IO::Socket::UNIX; $SIG{PIPE} = 'IGNORE';
      my $s = IO::Socket::UNIX->new(Peer => $ARGV[1]) or die "no connection: $!";
      $s->print("$ARGV[0]\\n"); $s->flush;
      while (<$s>) { print; last if /^\\{"(done|failed)"/ }
      """;

  private @Nullable ScriptedUpstream upstream;
  private @Nullable GatewayFixture gateway;
  private Path socket;
  private boolean made;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root")
            && run(List.of("sh", "-c", "command -v useradd setpriv perl")).exit() == 0,
        "skipped: needs root, useradd, setpriv and perl");
    made = true;
    removeUsers();
    GROUPS.forEach(group -> must("groupadd", group));
    for (int i = 0; i < USERS.size(); i++) {
      must("useradd", "-M", "-N", "-g", NO_GROUP, USERS.get(i));
      if (i < GROUPS.size()) {
        must("usermod", "-aG", GROUPS.get(i), USERS.get(i));
      }
    }
    socket = folder.resolve("state").resolve("control.sock");
    upstream = ScriptedUpstream.start();
    gateway =
        GatewayFixture.in(folder, upstream.port())
            .with("admin", "{read_group: %s, support_group: %s}".formatted(READERS, SUPPORT))
            .start();
    for (Path way : List.of(folder, folder.resolve("state"))) {
      Files.setPosixFilePermissions(way, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    assumeTrue(
        run(List.of(
                    "setpriv",
                    "--reuid",
                    USERS.getLast(),
                    "--clear-groups",
                    "ls",
                    socket.toString()))
                .exit()
            == 0,
        "skipped: the folder of temporary files is closed to others");
    GroupPrincipal admins =
        folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(ADMINS);
    Files.getFileAttributeView(socket, PosixFileAttributeView.class).setGroup(admins);
  }

  @AfterAll
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
    if (made) {
      removeUsers();
    }
    if (upstream != null) {
      upstream.close();
    }
  }

  private static void removeUsers() {
    USERS.forEach(user -> run(List.of("userdel", user)));
    GROUPS.forEach(group -> run(List.of("groupdel", group)));
  }

  private record Ended(int exit, String output) {}

  private static Ended run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ended(process.waitFor(), output);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void must(String... command) {
    Ended ended = run(List.of(command));
    assertEquals(0, ended.exit(), () -> String.join(" ", command) + ": " + ended.output());
  }

  /** The answer to a process of this user with all groups of the user. */
  private Answer as(String user, ControlRequest request) {
    return ask(List.of("--reuid", user, "--regid", NO_GROUP, "--init-groups"), request);
  }

  private Answer ask(List<String> rights, ControlRequest request) {
    List<String> command = new ArrayList<>(List.of("setpriv"));
    command.addAll(rights);
    command.addAll(List.of("perl", "-e", CLIENT, ControlCodec.encode(request), socket.toString()));
    Ended ended = run(command);
    Collected answer = new Collected();
    for (String line : ended.output().lines().toList()) {
      answer.take(
          ControlCodec.decodeReply(line)
              .toOptional()
              .orElseThrow(() -> new AssertionError(ended.output())));
    }
    return answer.answer();
  }

  private static ControlRequest add(ListKind list, String subject, @Nullable Duration time) {
    Addition addition = Addition.of(list, List.of(subject)).reason("a ticket");
    return addition.expires(time == null ? null : Instant.now().plus(time)).request();
  }

  private static void refused(String words, Answer answer) {
    assertEquals(5, answer.exitCode(), answer::toString);
    assertTrue(answer.failure().contains(words), answer::failure);
  }

  private static void done(Answer answer) {
    assertEquals(0, answer.exitCode(), answer::toString);
  }

  private List<String> audit() {
    return as("root", new ControlRequest.Audit(null, 100)).items().stream()
        .map(record ->
            String.join(
                "|",
                record.text("author").orElse(""),
                record.text("command").orElse(""),
                record.text("subject").orElse("")))
        .toList();
  }

  @Test
  void whoIsInNoGroupMayNotEvenAsk() {
    refused("you are in no group", as("bgtest-nobody", new ControlRequest.Status()));
  }

  @Test
  void whoReadsMayAskAndChangesNothing() {
    done(as("bgtest-reader", new ControlRequest.Status()));
    done(
        as("bgtest-reader", new ControlRequest.ListShow(ListKind.ALLOW, "", Long.MAX_VALUE, null)));
    Answer mode = as("bgtest-reader", new ControlRequest.SetMode(Mode.OBSERVE, null));
    refused("`mode` is not for you: your role is read", mode);
    refused("an administrator may: root", mode);
    refused(
        "members of admin.support_group may",
        as("bgtest-reader", add(ListKind.ALLOW, "read.example", Duration.ofDays(1))));
    assertTrue(audit().contains("bgtest-reader|mode|refused: the role is read"), audit()::toString);
    assertEquals("enforce", as("root", new ControlRequest.Status()).only().text("mode").get());
  }

  /** As {@code sg} does it: the group of the process, without any of the directory. */
  @Test
  void theGroupOfTheProcessCounts() {
    List<String> rights = List.of("--reuid", "bgtest-nobody", "--regid", READERS, "--clear-groups");
    done(ask(rights, new ControlRequest.Status()));
    refused("your role is read", ask(rights, new ControlRequest.Drain()));
  }

  @Test
  void whoIsInTheGroupOfTheSocketMayDoEverything() {
    done(as("bgtest-admin", add(ListKind.BLOCK, "admin.example", null)));
    done(as("root", new ControlRequest.ListRemove(ListKind.BLOCK, List.of("admin.example"))));
  }

  @Test
  void supportChangesNothingOfOthers() {
    done(as("root", add(ListKind.ALLOW, "root.example", null)));
    Duration day = Duration.ofDays(1);
    refused(
        "root.example was added by root",
        as("bgtest-helper", add(ListKind.ALLOW, "root.example", day)));
    done(as("bgtest-helper", add(ListKind.ALLOW, "own.example", day)));
    ControlRequest both =
        new ControlRequest.ListRemove(ListKind.ALLOW, List.of("root.example", "own.example"));
    refused("root.example was added by root", as("bgtest-helper", both));
    refused(
        "root.example was added by root",
        as(
            "bgtest-helper",
            new ControlRequest.ListRemove(ListKind.ALLOW, List.of("root.example"))));
    refused(
        "`allow edit`",
        as(
            "bgtest-helper",
            new ControlRequest.ListEdit(
                ListKind.ALLOW, List.of("root.example"), "x", null, false, null)));
    done(as("root", both));
  }
}
