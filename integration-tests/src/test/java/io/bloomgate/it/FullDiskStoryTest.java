package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gateway that starts while nothing can be written to its state directory: it serves mail with
 * what is there, says what it does not keep, and needs no restart when the disk has room again.
 */
@Timeout(120)
class FullDiskStoryTest {

  @TempDir Path folder;
  private final int port = FreePort.next();

  /** How the gateway before ended: a kill leaves what SQLite folds in at a clean stop. */
  enum End {
    STOPPED,
    KILLED
  }

  /** What is wrong with the disk at the start. */
  enum Trouble {
    FULL,
    READ_ONLY
  }

  private GatewayFixture settings(MountedDisk disk, ScriptedUpstream upstream) {
    return GatewayFixture.in(folder, upstream.port())
        .with("state_dir", disk.path("state").toString())
        .with(
            "listeners",
            "{plain: {address: \"127.0.0.1:" + port + "\", xclient_from: [127.0.0.1]}}")
        .prepare();
  }

  @ParameterizedTest
  @CsvSource({"STOPPED,FULL", "KILLED,FULL", "STOPPED,READ_ONLY", "KILLED,READ_ONLY"})
  void whatIsOnTheDiskHoldsAndTheRestComesWithTheRoom(End end, Trouble trouble) throws IOException {
    try (MountedDisk disk = MountedDisk.in(folder);
        ScriptedUpstream upstream = ScriptedUpstream.start()) {
      GatewayFixture settings = settings(disk, upstream);
      try (GatewayProcess gateway = GatewayProcess.start(settings)) {
        gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true));
        gateway.control(add(ListKind.ALLOW, "pardoned.spam.example"));
        gateway.control(add(ListKind.BLOCK, "blocked.example"));
        gateway.control(new ControlRequest.FeedsDisable("senders", null));
        if (end == End.STOPPED) {
          gateway.stop();
        }
      }
      begin(trouble, disk);
      try (GatewayProcess gateway = GatewayProcess.startAt(settings, port)) {
        assertHolds();
        String log = Files.readString(gateway.output());
        assertTrue(log.contains("cannot be written"), log);
        end(trouble, disk);
        assertHeals(gateway);
        assertHolds();
        gateway.kill();
      }
      assertKept(settings, List.of("spam.example", "blocked.example", "later.example"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"FULL", "READ_ONLY"})
  void aFirstStartServesMailToo(Trouble trouble) throws IOException {
    try (MountedDisk disk = MountedDisk.in(folder);
        ScriptedUpstream upstream = ScriptedUpstream.start()) {
      GatewayFixture settings = settings(disk, upstream);
      begin(trouble, disk);
      try (GatewayProcess gateway = GatewayProcess.startAt(settings, port)) {
        assertEquals("250", rcpt("spam.example"), "no list is loaded");
        end(trouble, disk);
        Conditions.await("commands are answered", gateway::answers);
        gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true));
        assertEquals("554", rcpt("spam.example"));
        assertEquals("250", rcpt("good.spam.example"), "a line of a list file");
        assertHeals(gateway);
        gateway.kill();
      }
      assertKept(settings, List.of("spam.example", "later.example"));
    }
  }

  /** Lists and entries are those that the gateway before had. */
  private void assertHolds() throws IOException {
    assertEquals("554", rcpt("spam.example"), "a listing");
    assertEquals("250", rcpt("pardoned.spam.example"), "an own allow entry");
    assertEquals("250", rcpt("good.spam.example"), "a line of a list file");
    assertEquals("554", rcpt("blocked.example"), "an own block entry");
    assertEquals("250", rcptFrom("lottery@mixed.example"), "a listing of a disabled feed");
    assertEquals("250", rcpt("partner.example"));
  }

  /** What is on the disk after the kill, as the next start reads it: these are refused. */
  private static void assertKept(GatewayFixture settings, List<String> refused) {
    List<String> all = new ArrayList<>(refused);
    all.addAll(List.of("good.spam.example", "partner.example"));
    if (refused.contains("blocked.example")) {
      all.addAll(List.of("pardoned.spam.example", "lottery@mixed.example"));
    }
    for (String subject : all) {
      CommandLineInProcess.Result said =
          CommandLineInProcess.run(
              "-c", settings.settingsFile().toString(), "--offline", "explain", subject);
      assertEquals(refused.contains(subject) ? 1 : 0, said.exitCode(), said.out() + said.err());
    }
  }

  /** Without a restart commands are answered, and entries kept, as soon as there is room. */
  private void assertHeals(GatewayProcess gateway) throws IOException {
    Conditions.await("commands are answered", gateway::answers);
    Conditions.await(
        "entries are stored", () -> gateway.tries(add(ListKind.BLOCK, "later.example")));
    assertEquals("554", rcpt("later.example"));
    Conditions.await(
        "nothing is unwritten",
        () ->
            !gateway
                .control(new ControlRequest.Status())
                .only()
                .elements("alarms")
                .toString()
                .contains("cannot be written"));
  }

  private static void begin(Trouble trouble, MountedDisk disk) throws IOException {
    switch (trouble) {
      case FULL -> disk.fill();
      case READ_ONLY -> disk.readOnly();
    }
  }

  private static void end(Trouble trouble, MountedDisk disk) throws IOException {
    switch (trouble) {
      case FULL -> disk.empty();
      case READ_ONLY -> disk.writable();
    }
  }

  private static ControlRequest add(ListKind list, String subject) {
    return Addition.of(list, List.of(subject)).reason("test").request();
  }

  private String rcpt(String domain) throws IOException {
    return rcptFrom("a@" + domain);
  }

  /** The code of the reply to RCPT. */
  private String rcptFrom(String sender) throws IOException {
    try (SmtpClient client = new SmtpClient(port)) {
      return client.rcpt("mail.partner.example", sender, "bob@example.com").substring(0, 3);
    }
  }
}
