package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Backup while mail comes in; all is lost; restore; the gateway is the same as before. */
class BackupStoryTest extends Story {

  private static final int NAMES = 15_000;

  /** Client and sender domain of mails with different verdicts. */
  private static final Map<String, String> MAILS =
      Map.of(
          "203.0.113.7", "home.example",
          "198.51.100.3", "home.example",
          "192.0.2.10", "spam.example",
          "192.0.2.11", "home.example",
          "192.0.2.12", "blocked.example",
          "203.0.113.130", "home.example");

  private final int port = FreePort.next();

  private GatewayFixture settings() {
    return gateway.listening(port).prepare();
  }

  private Path archive() {
    return folder.resolve("backup.tar.gz");
  }

  private CommandLineInProcess.Result cli(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-c", folder.resolve("bloomgate.yaml").toString()));
    return CommandLineInProcess.run(all.toArray(String[]::new));
  }

  @Test
  void theGatewayIsTheSameAfterARestore() throws IOException {
    GatewayFixture settings = settings();
    Map<String, String> verdicts;
    Map<String, JsonObject> incidents = new LinkedHashMap<>();
    List<String> entries;
    try (GatewayProcess gateway = GatewayProcess.start(settings)) {
      gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true));
      gateway.control(add(ListKind.ALLOW, "203.0.113.130"));
      gateway.control(add(ListKind.BLOCK, "blocked.example"));
      verdicts = verdicts(incidents);
      assertEquals(4, incidents.size(), verdicts.toString());
      incidents.replaceAll((id, _) -> explained(gateway, id));
      entries = entries(gateway);
      backUpUnderLoad();
      gateway.kill();
    }
    requireRefusalOfACutArchive();
    DurableFiles.deleteTree(folder.resolve("state"));
    for (String list : List.of("drop.txt", "grey.txt", "names.txt", "senders.txt", "bulk.txt")) {
      Files.delete(folder.resolve(list)); // so that the lists can only come from the backup
    }
    CommandLineInProcess.Result restored = cli("restore", archive().toString());
    assertEquals(0, restored.exitCode(), restored.err());
    try (GatewayProcess gateway = GatewayProcess.start(settings)) {
      assertEquals(0, gateway.control(new ControlRequest.Health()).exitCode());
      assertEquals(verdicts, verdicts(new LinkedHashMap<>()));
      assertEquals(entries, entries(gateway));
      for (Map.Entry<String, JsonObject> incident : incidents.entrySet()) {
        assertEquals(incident.getValue(), explained(gateway, incident.getKey()));
      }
    }
  }

  private void requireRefusalOfACutArchive() throws IOException {
    Path cut = folder.resolve("cut.tar.gz");
    byte[] whole = Files.readAllBytes(archive());
    Files.write(cut, Arrays.copyOf(whole, whole.length * 2 / 3));
    CommandLineInProcess.Result refused = cli("restore", cut.toString());
    assertEquals(1, refused.exitCode());
    assertTrue(refused.err().contains("cut"), refused.err());
    assertTrue(Files.exists(folder.resolve("state/operator.db")));
  }

  /** The gateway takes mail while the backup is made. */
  private void backUpUnderLoad() throws IOException {
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger mails = new AtomicInteger();
    CompletableFuture<?> load =
        CompletableFuture.runAsync(() -> {
          while (!enough.get()) {
            try {
              send("192.0.2.11", "home.example");
              mails.incrementAndGet();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        });
    Conditions.await("mail comes in", () -> mails.get() > 5);
    CommandLineInProcess.Result saved = cli("backup", archive().toString(), "--sessions");
    int meanwhile = mails.get();
    enough.set(true);
    load.join();
    assertEquals(0, saved.exitCode(), saved.err());
    assertTrue(meanwhile > 5, "no mail came in meanwhile");
    assertTrue(saved.out().contains("left out: " + folder.resolve("key.pem")), saved.out());
    CommandLineInProcess.Result again = cli("backup", archive().toString());
    assertEquals(2, again.exitCode());
    CommandLineInProcess.Result running = cli("restore", archive().toString());
    assertEquals(1, running.exitCode());
    assertTrue(running.err().contains("a gateway runs on"), running.err());
    CommandLineInProcess.Result asked = cli("restore", archive().toString(), "--dry-run");
    assertEquals(0, asked.exitCode(), asked.err());
    assertTrue(asked.out().contains("would get the state of"), asked.out());
    assertTrue(asked.out().contains("a gateway runs on"), asked.out());
  }

  /** The reply to each mail, without its id; ids go into {@code incidents}. */
  private Map<String, String> verdicts(Map<String, JsonObject> incidents) throws IOException {
    Map<String, String> verdicts = new LinkedHashMap<>();
    for (Map.Entry<String, String> mail : MAILS.entrySet()) {
      String reply = send(mail.getKey(), mail.getValue());
      verdicts.put(mail.getKey(), reply.replaceAll("\\[[0-9A-Z]{10}]", "[ID]"));
      if (!reply.startsWith("2")) {
        String id = reply.replaceAll("(?s).*\\[([0-9A-Z]{10})].*", "$1");
        incidents.put(id, new JsonObject(Map.of()));
      }
    }
    return verdicts;
  }

  private String send(String client, String domain) throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(port, client)) {
      return smtp.rcpt("mail." + domain, "a@" + domain, "bob@example.com");
    }
  }

  /** The entries, without their last use, which is written some time after it. */
  private static List<String> entries(GatewayProcess gateway) {
    return Stream.of(ListKind.values())
        .flatMap(list ->
            gateway
                .control(new ControlRequest.ListShow(list, "", Long.MAX_VALUE, null))
                .items()
                .stream())
        .map(entry ->
            entry.toString().replaceAll(", used=JsonString\\[[^\\]]*\\]", ", used=JsonNull[]"))
        .toList();
  }

  private static JsonObject explained(GatewayProcess gateway, String id) {
    return gateway.control(new ControlRequest.Explain(id, null, null, null, null)).only();
  }

  private static ControlRequest add(ListKind list, String subject) {
    return Addition.of(list, List.of(subject)).reason("test").request();
  }

  /**
   * kill -9 at any moment: the old entries or those of the backup, and lists that are whole; or a
   * mark with which no gateway starts.
   */
  @Test
  void aKillInTheMiddleOfARestoreLeavesTheOldStateOrTheNewOne() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    GatewayFixture settings = settings();
    writeNames();
    try (GatewayProcess gateway = GatewayProcess.start(settings)) {
      gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true));
      assertEquals(0, cli("backup", archive().toString()).exitCode());
      gateway.control(add(ListKind.ALLOW, "later.example"));
      gateway.kill();
    }
    List<String> moments =
        List.of("state/restore.new", "state/restoring", "before", "state/restore.new/feeds", "");
    for (String moment : moments) {
      String when = "seed " + seed + ", at `" + moment + "`";
      putBackOldState();
      killAt(moment, random);
      Path mark = folder.resolve("state").resolve(StateLock.RESTORING);
      boolean whole = Files.notExists(mark);
      if (whole) {
        boolean old = isAllowed("later.example");
        assertEquals(1, cli("explain", "203.0.113.7", "--offline").exitCode(), when);
        assertEquals(1, cli("explain", "n7.common.example", "--offline").exitCode(), when);
        assertTrue(old || !moment.equals("state/restore.new"), when);
      }
      CommandLineInProcess.Result restored = cli("restore", archive().toString());
      assertEquals(0, restored.exitCode(), when + restored.err());
      if (whole) {
        assertTrue(restored.out().contains("the backup has no kept sessions"), when + restored);
      }
      assertTrue(!isAllowed("later.example"), when);
      assertTrue(Files.notExists(mark), when);
    }
  }

  private boolean isAllowed(String domain) {
    String out = cli("explain", domain, "--offline", "-o", "json").out();
    return !out.contains("\"allow\":null");
  }

  /** The first round copies the state of the gateway; later ones put the copy back. */
  private void putBackOldState() throws IOException {
    Path copy = folder.resolve("old");
    if (Files.notExists(copy)) {
      copyTree(folder.resolve("state"), copy);
    }
    try (Stream<Path> all = Files.list(folder)) {
      for (Path path : all.filter(p -> p.getFileName().toString().startsWith("state")).toList()) {
        DurableFiles.deleteTree(path);
      }
    }
    copyTree(copy, folder.resolve("state"));
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        if (!path.getFileName().toString().endsWith(".sock")) {
          Files.copy(path, to.resolve(from.relativize(path).toString()));
        }
      }
    }
  }

  private void killAt(String moment, Random random) throws IOException {
    Process restore =
        CliProcess.start(
            folder.resolve("restore.out"),
            "restore",
            archive().toString(),
            "-c",
            folder.resolve("bloomgate.yaml").toString());
    long extra = moment.isEmpty() ? random.nextLong(60_000_000L) : 0;
    Path awaited = folder.resolve(moment.isEmpty() ? "state/restore.new" : moment);
    Conditions.await(
        "the moment",
        () ->
            !restore.isAlive() || (moment.equals("before") ? isPutAside() : Files.exists(awaited)));
    long until = System.nanoTime() + extra;
    Conditions.await("the moment", () -> System.nanoTime() >= until);
    restore.destroyForcibly();
    restore.onExit().join();
  }

  private boolean isPutAside() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("state"))) {
      return all.anyMatch(p -> p.getFileName().toString().startsWith("before-restore-"));
    }
  }

  private void writeNames() throws IOException {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < NAMES; i++) {
      names.append('n').append(i).append(".common.example\n");
    }
    Files.writeString(folder.resolve("names.txt"), names);
  }
}
