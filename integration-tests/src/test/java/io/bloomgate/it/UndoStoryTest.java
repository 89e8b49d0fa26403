package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What {@code explain} prints lifts the refusal, for a session that is open already too, and
 * nothing that the same client or the same name is listed for otherwise (promises P3 and P6).
 */
class UndoStoryTest extends Story {

  private static final int OF_EACH_KIND = 4;

  /** Listed, and never allowed by any command of this test. */
  private static final String LISTED_HELO = "witness-helo.example";

  private static final String LISTED_SENDER = "x@witness.example";
  private static final String CLEAN_HELO = "mail.partner.example";
  private static final String CLEAN_SENDER = "news@partner.example";

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<String> feed = new ArrayList<>(List.of(LISTED_HELO, "witness.example"));
  private final List<String> blocks = new ArrayList<>();
  private final List<Case> stories = new ArrayList<>();
  private int number;

  /** What one mail shows of itself. */
  private record Mail(String client, String helo, String from) {}

  /**
   * A mail that one entry refuses, and others that it must go on refusing, or that others refuse.
   */
  private record Case(String kind, Mail mail, List<Mail> stay) {}

  @Test
  void thePrintedCommandLiftsTheRefusalAndNothingElse() throws Exception {
    for (int i = 0; i < OF_EACH_KIND; i++) {
      clients();
      names();
      blocks();
    }
    assertEquals(8 * OF_EACH_KIND, stories.size());
    start();
    for (String block : blocks) {
      run("bloomgate block add " + block);
    }
    for (int i = 0; i < stories.size(); i++) {
      play(stories.get(i), i % 2 == 1);
    }
  }

  private void start() throws IOException {
    gateway
        .with("allow", "{never_block: [loopback]}")
        .feeds(
            """
            all: {file: FOLDER/all.txt, format: lines, match: suffix, action: reject,
                  checks: [client_ip, helo, sender, sender_domain], allow_bogons: true}
            """);
    gateway.prepare();
    gateway.write("all.txt", feed.toArray(String[]::new));
    gateway.start();
  }

  private void play(Case story, boolean byIncident) throws Exception {
    String about = story.kind() + " " + story.mail() + ", seed " + seed;
    for (Mail mail : story.stay()) {
      assertTrue(rcpt(mail).startsWith("554 5.7.1"), about + ": " + mail);
    }
    try (SmtpClient open = open(story.mail())) {
      String refusal = open.command("RCPT TO:<bob@example.com>");
      assertTrue(refusal.startsWith("554 5.7.1"), about + ": " + refusal);
      String id = refusal.substring(refusal.length() - 11, refusal.length() - 1);
      String asked = undo(explain(story.mail()));
      assertEquals(asked, undo(gateway.incident(refusal)), about);
      boolean allows = asked.startsWith("bloomgate allow add");
      String command =
          byIncident && allows
              ? "bloomgate allow add --incident " + id + " --expires 7d --reason x"
              : asked;
      JsonObject stored = run(command);
      about += ": " + asked + " stored " + stored;
      assertTrue(!allows || sameEntry(GatewayFixture.words(asked), stored), about);
      String now = open.command("RCPT TO:<bob@example.com>");
      assertTrue(now.startsWith("250"), about + ": " + now);
    }
    assertTrue(rcpt(story.mail()).startsWith("250"), about);
    for (Mail mail : story.stay()) {
      assertTrue(rcpt(mail).startsWith("554 5.7.1"), about + ": " + mail);
    }
  }

  /** {@code --incident} stores what explain prints. */
  private static boolean sameEntry(List<String> printed, JsonObject stored) {
    return printed.get(2).equals(stored.text("subject").orElse(""))
        && stored.text("from").orElse("").equals(option(printed, "--from"))
        && stored.toString().contains(option(printed, "--scope"));
  }

  // ---- the subjects

  private void clients() {
    String host = v4();
    feed.add(host);
    client("host", host, v4());
    int third = 1 + random.nextInt(250);
    String network = "198.19." + third + "." + 32 * random.nextInt(8);
    String base = network.substring(0, network.lastIndexOf('.') + 1);
    int first = Integer.parseInt(network.substring(base.length()));
    if (!feed.contains(network + "/27")) {
      feed.add(network + "/27");
    }
    number++;
    String inside = base + (first + 1 + random.nextInt(14));
    String beside = base + (first + 16 + random.nextInt(15));
    stories.add(
        new Case(
            "network", clean(inside), List.of(clean(beside), heloOf(inside), senderOf(inside))));
    String six = "2001:db8:" + Integer.toHexString(0x100 + number) + "::";
    feed.add(six + "/48");
    stories.add(
        new Case(
            "IPv6",
            clean(six + "7"),
            List.of(
                clean("2001:db8:" + Integer.toHexString(0x100 + number) + ":1::7"),
                heloOf(six + "7"),
                senderOf(six + "7"))));
  }

  private void client(String kind, String address, String other) {
    stories.add(
        new Case(kind, clean(address), List.of(heloOf(address), senderOf(address), heloOf(other))));
  }

  private void names() {
    String helo = name();
    feed.add(helo);
    String said = random.nextBoolean() ? helo : "mx." + helo;
    String client = v4();
    stories.add(
        new Case(
            "HELO",
            new Mail(client, said, CLEAN_SENDER),
            List.of(
                new Mail(v4(), said, CLEAN_SENDER),
                new Mail(client, CLEAN_HELO, "a@" + said),
                heloOf(client),
                senderOf(client))));
    String literal = v4();
    feed.add(literal);
    String from = v4();
    stories.add(
        new Case(
            "literal",
            new Mail(from, "[" + literal + "]", CLEAN_SENDER),
            List.of(
                new Mail(v4(), "[" + literal + "]", CLEAN_SENDER),
                clean(literal),
                heloOf(from),
                senderOf(from))));
    String address = "u" + number++ + "@shared" + random.nextInt(3) + ".example";
    feed.add(address);
    String home = v4();
    stories.add(
        new Case(
            "sender",
            new Mail(home, CLEAN_HELO, address),
            List.of(new Mail(v4(), CLEAN_HELO, address), heloOf(home), senderOf(home))));
    String domain = name();
    feed.add(domain);
    String broken = List.of("", "mail.", "xn--0.", "a..").get(random.nextInt(3));
    String sender = "a" + random.nextInt(9) + "+x@" + broken + domain;
    String place = v4();
    List<Mail> stay = new ArrayList<>();
    stay.add(new Mail(v4(), CLEAN_HELO, sender));
    stay.add(new Mail(place, domain, CLEAN_SENDER));
    if (!broken.startsWith("xn")) {
      stay.add(new Mail(place, CLEAN_HELO, "other@" + broken + domain));
    }
    stay.add(heloOf(place));
    stay.add(senderOf(place));
    stories.add(new Case("domain", new Mail(place, CLEAN_HELO, sender), stay));
  }

  private void blocks() {
    String client = v4();
    String name = name();
    Case story =
        switch (random.nextInt(4)) {
          case 0 -> {
            blocks.add(client);
            yield new Case("block of a host", clean(client), List.of(heloOf(client)));
          }
          case 1 -> {
            blocks.add(name);
            yield new Case(
                "block of a domain",
                new Mail(client, CLEAN_HELO, "a@" + name),
                List.of(new Mail(client, CLEAN_HELO, "b@" + name), senderOf(client)));
          }
          case 2 -> {
            blocks.add("a@" + name);
            blocks.add("a@" + name + " --from " + client + " --scope sender");
            blocks.add(name + " --scope helo");
            yield new Case(
                "block of a name in HELO",
                new Mail(client, "mx." + name, CLEAN_SENDER),
                List.of(
                    new Mail(v4(), CLEAN_HELO, "a@" + name),
                    new Mail(client, name, CLEAN_SENDER),
                    new Mail(v4(), "mx." + name, CLEAN_SENDER),
                    senderOf(client)));
          }
          default -> {
            blocks.add("a@" + name);
            yield new Case(
                "block of an address",
                new Mail(client, CLEAN_HELO, "a@" + name),
                List.of(heloOf(client), senderOf(client)));
          }
        };
    stories.add(story);
  }

  private static Mail clean(String client) {
    return new Mail(client, CLEAN_HELO, CLEAN_SENDER);
  }

  private static Mail heloOf(String client) {
    return new Mail(client, LISTED_HELO, CLEAN_SENDER);
  }

  private static Mail senderOf(String client) {
    return new Mail(client, CLEAN_HELO, LISTED_SENDER);
  }

  /** No two are the same. */
  private String v4() {
    number++;
    // Each in another network: of many refusals of one network not all have an id.
    return "198.18." + number % 250 + "." + (1 + number / 250);
  }

  private String name() {
    return "n" + number++ + "-" + random.nextInt(1000) + ".example";
  }

  // ---- mail

  private SmtpClient open(Mail mail) throws IOException {
    SmtpClient client = SmtpClient.proxied(gateway.port("mx"), mail.client());
    client.lines();
    client.command("EHLO " + mail.helo());
    client.command("MAIL FROM:<" + mail.from() + ">");
    return client;
  }

  private String rcpt(Mail mail) throws IOException {
    return gateway.rcpt(mail.client(), mail.helo(), mail.from(), "bob@example.com");
  }

  // ---- commands

  private JsonObject explain(Mail mail) {
    return gateway
        .control(new ControlRequest.Explain(mail.client(), mail.helo(), mail.from(), null, null))
        .only();
  }

  private static String undo(JsonObject explanation) {
    return explanation.text("undo").orElseThrow(() -> new AssertionError(explanation.toString()));
  }

  /** Runs a printed command; the entry that it added or removed. */
  private JsonObject run(String command) throws JsonSyntaxException {
    CommandLineInProcess.Result done = gateway.cli(command + " -o json");
    assertEquals(0, done.exitCode(), command + ": " + done.err());
    return (JsonObject) Json.parse(done.out().strip());
  }

  private static String option(List<String> words, String name) {
    int at = words.indexOf(name);
    return at < 0 ? "" : words.get(at + 1);
  }
}
