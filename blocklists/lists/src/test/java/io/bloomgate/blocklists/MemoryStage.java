package io.bloomgate.blocklists;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.blocklists.memory.OtherNodes;
import io.bloomgate.blocklists.memory.OwnMemory;
import io.bloomgate.blocklists.memory.RememberedKey;
import io.bloomgate.blocklists.memory.Sighting;
import io.bloomgate.blocklists.memory.Sighting.Origin;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.MemorySettings;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** An own memory with a clock that tests move, and accepted mail that they name. */
final class MemoryStage implements AutoCloseable {

  /** Long enough for a likeness. */
  static final String TEXT =
      """
      Dear customer we are glad to tell you that your parcel is waiting in our store and cannot be
      delivered because a small fee is missing please pay it within two days or the parcel will be
      sent back to where it came from and all that you paid before is lost for ever and ever
      """;

  private record Accepted(String id, IpAddress client, String domain, List<Integer> hashes) {}

  private final Path folder;
  private final OtherNodes others;
  private final String node;
  private final List<Accepted> accepted = new ArrayList<>();
  private boolean complete = true;
  private long entries;
  private Settings settings;
  private OwnMemory memory;
  Instant now = Instant.parse("2026-11-01T00:00:00Z");

  /**
   * A memory that knows of accepted mail for two weeks.
   *
   * @param more lines of settings
   */
  MemoryStage(Path folder, String more) throws IOException {
    this(folder, more, OtherNodes.NONE, "");
  }

  /** The same of a node of a fleet. */
  MemoryStage(Path folder, String more, OtherNodes others, String node) throws IOException {
    this.folder = folder;
    this.others = others;
    this.node = node;
    this.settings = settings(more);
    this.memory = opened();
    passed(Duration.ofDays(15));
  }

  private OwnMemory opened() {
    OwnMemory opened =
        new OwnMemory(
            folder,
            new OwnMemory.Surroundings(
                () -> settings,
                (_, taker) -> {
                  accepted.forEach(
                      one -> taker.take(one.id(), one.client(), one.domain(), one.hashes()));
                  return complete;
                },
                () -> new NeverRemembered(List.of(), settings),
                () -> entries,
                others,
                node,
                () -> now));
    opened.prepare(settings);
    return opened;
  }

  private Settings settings(String more) {
    String yaml =
        "domains: [company.example]\ndownstream: {host: 127.0.0.1, port: 2526}\nstate_dir: %s\n%s\n"
            .formatted(folder, more);
    return switch (SettingsFile.parse("test", yaml, Map.of(), () -> "mx.example")) {
      case SettingsResult.Loaded loaded -> loaded.settings();
      case SettingsResult.Invalid invalid ->
          throw new IllegalStateException(invalid.problems().toString());
    };
  }

  /** Starts the memory again. */
  void restart() throws IOException {
    memory.close();
    memory = opened();
  }

  /** Some kept sessions are not known from now on. */
  void forgetsSessions() {
    complete = false;
  }

  /** Sets how many entries the live lists have from now on. */
  void live(long many) {
    entries = many;
  }

  /** True when the list has the entry so much later, if it was due to be written by then. */
  boolean hasIn(Duration time, String list, String entry) throws IOException {
    now = now.plus(time);
    memory.tend();
    return Files.readString(MemorySettings.file(folder, list)).contains(entry);
  }

  /** Lets time pass and the lists be written, once a day at least. */
  void passed(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      Instant next = now.plus(Duration.ofDays(1));
      now = next.isBefore(end) ? next : end;
      memory.tend();
    }
  }

  /** A mail in plain text. */
  static MailEvidence mail(String from, String subject, String text) {
    byte[] octets =
        "From: %s\r\nSubject: %s\r\n\r\n%s\r\n".formatted(from, subject, text).getBytes(UTF_8);
    try (MailReader reader =
        new MailReader(
            new MimeLimits(100, 1_000, 100, 100), Check.OF_CONTENT, 7, false, Runnable::run)) {
      reader.put(octets, 0, octets.length);
      return reader.end();
    }
  }

  /** The entry of the text of a mail. */
  static String print(String text) {
    return mail("a@b.example", "hello", text).keys().stream()
        .filter(key -> key.check() == Check.BODY && key.key() instanceof Fingerprint)
        .findFirst()
        .orElseThrow()
        .key()
        .toString();
  }

  private Sighting sighting(String client, String sender, String id, MailEvidence mail) {
    return sighting(Origin.TRAP, client, sender, id, mail);
  }

  private Sighting sighting(
      Origin origin, String client, String sender, String id, MailEvidence mail) {
    return Sighting.of(
        now,
        origin,
        "trap@company.example",
        id,
        address(client),
        MailAddress.parse(sender).toOptional().orElseThrow(),
        mail);
  }

  private static IpAddress address(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  /** A mail to the trap. */
  int spam(String client, String sender, String text) {
    return spam(client, sender, "", mail(sender, "hello", text));
  }

  int spam(String client, String sender, String id, MailEvidence mail) {
    return memory.spam(sighting(client, sender, id, mail));
  }

  /** Mail that reached a user, who reports it. */
  void reported(String client, String sender, String id, MailEvidence mail) {
    accepted(id, client, sender, mail);
    memory.spam(sighting(Origin.REPORT, client, sender, id, mail));
  }

  /** Two strangers, who have nothing in common but this text. */
  void strangers(String text) {
    spam("192.0.2.1", "one@first.example", text);
    spam("198.51.100.1", "two@second.example", text);
  }

  /** Remembers nothing from now on. */
  void switchOff() throws IOException {
    settings = settings("");
  }

  /** Remembers what another node sent just now. */
  boolean heard(String text) {
    return memory.heard(text, Duration.ZERO);
  }

  int good(String client, String sender, String text) {
    return memory.good(sighting(client, sender, "", mail(sender, "hello", text)));
  }

  void accepted(String id, String client, String sender, MailEvidence mail) {
    accepted.add(
        new Accepted(
            id,
            address(client),
            sender.substring(sender.indexOf('@') + 1),
            RememberedKey.hashes(
                mail.keys(), MailAddress.parse(sender).toOptional().orElseThrow())));
  }

  void accepted(String client, String sender, String text) {
    accepted("", client, sender, mail(sender, "good morning to all of you", text));
  }

  /** The entries of a list a moment later, but the one that is always there. */
  List<String> list(String name) throws IOException {
    return lines(name).map(line -> line.substring(0, line.indexOf(" # "))).toList();
  }

  /** The lines of a list as they are. */
  Stream<String> lines(String name) throws IOException {
    passed(Duration.ofHours(2));
    return Files.readAllLines(MemorySettings.file(folder, name)).stream()
        .filter(line -> !line.startsWith("#") && !line.startsWith("own-memory.invalid"));
  }

  Optional<Instant> waitsUntil() {
    return memory.waitsUntil();
  }

  List<String> alarms() {
    return memory.alarms();
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
