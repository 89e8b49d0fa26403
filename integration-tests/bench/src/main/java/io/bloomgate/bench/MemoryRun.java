package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.NeverRemembered;
import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.blocklists.memory.OtherNodes;
import io.bloomgate.blocklists.memory.OwnMemory;
import io.bloomgate.blocklists.memory.RememberedKey;
import io.bloomgate.blocklists.memory.Sighting;
import io.bloomgate.blocklists.memory.Sighting.Origin;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.MemorySettings;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the own memory does to a corpus in the order of its dates: each spam is looked up before it
 * counts as a sighting, each good mail before it counts as accepted. Run by {@code memory.sh}.
 */
public final class MemoryRun {

  /** Mails after which the lists are written again; a gateway does so after ten seconds. */
  private static final int REWRITE_EVERY = 5;

  /** Good mails behind which the gateway counts as begun; corpora have spam of years before. */
  private static final int FIRST_GOOD = 10;

  /** Days on which mail of a sender was accepted before it is known. */
  private static final int KNOWN_DAYS = 3;

  private static final Duration DAY = Duration.ofDays(1);

  private static final Pattern DATE =
      Pattern.compile(
          "(?im)^(?:date|received):[^\\n]*?(?:\\n[ \\t][^\\n]*?)*?"
              + "((?:\\d{1,2}) [A-Z][a-z]{2} \\d{4} \\d{1,2}:\\d{2}(?::\\d{2})? [+-]\\d{4})");

  private static final Pattern CLIENT =
      Pattern.compile("(?im)^received:[^\\n]*(?:\\n[ \\t][^\\n]*)*");

  /** The step from a mailbox to the reader of the mail. */
  private static final Pattern FETCHED = Pattern.compile("(?i)fetchmail|with (?:POP3|IMAP)");

  private static final Pattern LITERAL =
      Pattern.compile("[\\[(](\\d{1,3}(?:\\.\\d{1,3}){3})[\\])]");

  private static final Pattern SENDER = Pattern.compile("(?im)^return-path:\\s*<([^>\\n]*)>");

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("d MMM yyyy H:mm[:ss] Z", Locale.ROOT);

  private record Mail(
      Path file,
      boolean spam,
      Instant at,
      @Nullable IpAddress client,
      @Nullable MailAddress sender,
      MailEvidence shown) {}

  private record Accepted(Instant at, IpAddress client, String domain, List<Integer> hashes) {}

  private final Path work;
  private final Settings settings;
  private final OwnMemory memory;
  private final List<Accepted> accepted = new ArrayList<>();
  private final Map<String, Set<String>> lists = new HashMap<>();

  /** The days on which clean mail of a sender was accepted, by network and domain. */
  private final Map<String, Set<Long>> days = new HashMap<>();

  private Instant now = Instant.EPOCH;

  private MemoryRun(Path work) throws IOException {
    this.work = work;
    Path file = work.resolve("settings.yaml");
    Files.writeString(
        file,
        // Own domains of those who collected the SpamAssassin corpus: its spam forges them.
        "domains: [netnoteinc.com, .slashnull.org]\n"
            + "downstream: {host: 127.0.0.1, port: 2526}\n"
            + "state_dir: "
            + work
            + "\ntraps: {keep: "
            + System.getProperty("keep", "30d")
            + "}\n");
    this.settings =
        switch (SettingsFile.load(file, Map.of())) {
          case SettingsResult.Loaded loaded -> loaded.settings();
          case SettingsResult.Invalid invalid ->
              throw new IllegalStateException(invalid.problems().toString());
        };
    this.memory =
        new OwnMemory(
            work,
            new OwnMemory.Surroundings(
                () -> settings,
                (oldest, taker) -> {
                  accepted.removeIf(mail -> mail.at().isBefore(oldest));
                  accepted.forEach(
                      mail -> taker.take("", mail.client(), mail.domain(), mail.hashes()));
                  return true;
                },
                () -> new NeverRemembered(List.of(), settings),
                () -> 0,
                OtherNodes.NONE,
                "",
                () -> now));
  }

  /** Takes the folder of spam, the folder of good mail and a folder to work in. */
  public static void main(String[] arguments) throws IOException {
    List<Mail> mails = new ArrayList<>();
    read(Path.of(arguments[0]), true, mails);
    read(Path.of(arguments[1]), false, mails);
    mails.sort(Comparator.comparing(Mail::at));
    new MemoryRun(Path.of(arguments[2])).run(mails);
  }

  private static void read(Path folder, boolean spam, List<Mail> mails) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String text = new String(Files.readAllBytes(file), ISO_8859_1).replace("\r\n", "\n");
        if (text.startsWith("From ")) {
          text = text.substring(text.indexOf('\n') + 1); // the line of a mailbox file
        }
        byte[] octets = text.getBytes(ISO_8859_1);
        int body = text.indexOf("\n\n");
        String head = body < 0 ? text : text.substring(0, body + 1);
        Optional<Instant> at = date(head);
        if (at.isPresent()) {
          mails.add(new Mail(file, spam, at.get(), client(head), sender(head), evidence(octets)));
        } else {
          System.err.println("left out, it has no date: " + file);
        }
      }
    }
  }

  private static Optional<Instant> date(String head) {
    Matcher dates = DATE.matcher(head);
    while (dates.find()) {
      try {
        Instant at = ZonedDateTime.parse(dates.group(1), FORMAT).toInstant();
        if (at.isAfter(Instant.parse("1995-01-01T00:00:00Z"))) {
          return Optional.of(at);
        }
      } catch (DateTimeException e) {
        // The next field may have a date that can be read.
      }
    }
    return Optional.empty();
  }

  /** The first address of a Received field that is none of a private network. */
  private static @Nullable IpAddress client(String head) {
    Matcher fields = CLIENT.matcher(head);
    while (fields.find()) {
      if (FETCHED.matcher(fields.group()).find()) {
        continue;
      }
      Matcher literal = LITERAL.matcher(fields.group());
      while (literal.find()) {
        String text = literal.group(1);
        IpAddress address = IpAddress.parse(text).toOptional().orElse(null);
        if (address != null
            && !text.matches("(?:127|10|192\\.168|172\\.(?:1[6-9]|2\\d|3[01]))\\..*")) {
          return address;
        }
      }
    }
    return null;
  }

  private static @Nullable MailAddress sender(String head) {
    Matcher field = SENDER.matcher(head);
    return field.find() ? MailAddress.parse(field.group(1)).toOptional().orElse(null) : null;
  }

  private static MailEvidence evidence(byte[] octets) {
    try (MailReader reader =
        new MailReader(
            new MimeLimits(100, 10_000, 100, 1_000),
            Check.OF_CONTENT,
            1,
            false,
            task -> new Thread(task).start())) {
      reader.put(octets, 0, octets.length);
      return reader.end();
    }
  }

  /** Mails of one kind, and what happened to them. */
  private static final class Tally {
    private final Map<String, Integer> counts = new TreeMap<>();
    private int all;

    void add(String what) {
      counts.merge(what, 1, Integer::sum);
    }

    double percent(String what) {
      return 100.0 * counts.getOrDefault(what, 0) / Math.max(1, all);
    }
  }

  private void run(List<Mail> mails) throws IOException {
    Tally spam = new Tally();
    Tally good = new Tally();
    memory.prepare(settings);
    now = mails.getFirst().at();
    Instant begun =
        mails.stream().filter(mail -> !mail.spam()).skip(FIRST_GOOD).findFirst().orElseThrow().at();
    int since = 0;
    for (Mail mail : mails) {
      while (now.plus(DAY).isBefore(mail.at())) {
        now = now.plus(DAY);
        if (now.isAfter(begun)) {
          memory.tend(); // or the gateway would count as switched off
        }
      }
      now = mail.at().isAfter(now) ? mail.at() : now;
      if (++since >= REWRITE_EVERY && now.isAfter(begun)) {
        since = 0;
        now = now.plusSeconds(10);
        memory.tend();
        readLists();
      }
      boolean counts = now.isAfter(begun.plus(MemorySettings.ACCEPTED));
      Tally of = !counts ? new Tally() : mail.spam() ? spam : good;
      of.all++;
      Set<String> hit = hits(mail);
      hit.forEach(of::add);
      boolean strong = hit.stream().anyMatch(what -> what.startsWith(MemorySettings.STRONG + " "));
      boolean refused = strong && !isKnown(mail);
      boolean tagged =
          strong
              || hit.stream()
                  .anyMatch(what ->
                      what.startsWith(MemorySettings.WEAK)
                          || what.startsWith(MemorySettings.SENDERS));
      of.add(
          refused ? "= refused" : tagged ? "= tagged" : hit.isEmpty() ? "= clean" : "= greylisted");
      if (!mail.spam() && (refused || tagged)) {
        System.err.println((refused ? "refused: " : "tagged: ") + mail.file() + " " + hit);
      }
      if (mail.spam()) {
        memory.spam(
            Sighting.of(
                now,
                Origin.TRAP,
                "trap@own.example",
                "",
                mail.client(),
                mail.sender(),
                mail.shown()));
      } else if (mail.client() != null) {
        accept(mail, refused, tagged);
      }
    }
    memory.close();
    print("spam", spam);
    print("good", good);
  }

  /** As the gateway does it: mail that was tagged counts where its sender is known. */
  private void accept(Mail mail, boolean refused, boolean tagged) {
    if ((!refused && !tagged) || isKnown(mail)) {
      accepted.add(
          new Accepted(
              now,
              Objects.requireNonNull(mail.client()),
              domain(mail),
              RememberedKey.hashes(mail.shown().keys(), mail.sender())));
    }
    if (!refused && !tagged) {
      days.computeIfAbsent(way(mail), _ -> new HashSet<>())
          .add(now.getEpochSecond() / DAY.toSeconds());
    }
  }

  private boolean isKnown(Mail mail) {
    return days.getOrDefault(way(mail), Set.of()).size() >= KNOWN_DAYS;
  }

  private static String way(Mail mail) {
    return (mail.client() == null ? "" : ClientNetwork.site(mail.client())) + " " + domain(mail);
  }

  private static String domain(Mail mail) {
    return mail.sender() != null && mail.sender().host() instanceof MailAddress.Host.Name host
        ? host.toString()
        : "";
  }

  private void readLists() throws IOException {
    for (String list : MemorySettings.LISTS) {
      Set<String> entries = new HashSet<>();
      for (String line : Files.readAllLines(MemorySettings.file(work, list))) {
        entries.add(line.split(" ", 2)[0]);
      }
      lists.put(list, entries);
    }
  }

  /** List and kind of each listing of the mail. */
  private Set<String> hits(Mail mail) {
    Set<String> hit = new HashSet<>();
    for (ContentKey key : mail.shown().keys()) {
      if (key.place() == ContentKey.Place.OPEN && key.check() != Check.REPLY_TO_DOMAIN) {
        Stream<String> asked =
            key.key() instanceof WebUrl url
                ? url.expressions().stream().map(one -> "http:" + one.written())
                : Stream.of(key.key().toString());
        boolean ofSender = key.check() == Check.FROM || key.check() == Check.FROM_DOMAIN;
        asked.forEach(text ->
            (ofSender
                    ? List.of(MemorySettings.SENDERS)
                    : List.of(MemorySettings.STRONG, MemorySettings.WEAK))
                .stream()
                    .filter(list -> listed(list, text))
                    .forEach(list -> {
                      hit.add(list + " " + key.check().key());
                      if (!mail.spam()) {
                        System.err.println(list + " has " + text);
                      }
                    }));
      }
    }
    if (mail.sender() != null) {
      for (ListKey key : ((Subject) mail.sender()).keys()) {
        if (listed(MemorySettings.SENDERS, key.toString())) {
          hit.add(MemorySettings.SENDERS + " envelope");
        }
      }
    }
    if (mail.client() != null
        && listed(MemorySettings.NETWORKS, ClientNetwork.site(mail.client()).toString())) {
      hit.add(MemorySettings.NETWORKS + " client_ip");
    }
    return hit;
  }

  private boolean listed(String list, String entry) {
    return lists.getOrDefault(list, Set.of()).contains(entry);
  }

  private static void print(String name, Tally tally) {
    System.out.printf("%s: %d mails%n", name, tally.all);
    tally.counts.forEach((what, count) ->
        System.out.printf("  %-40s %6d  %5.2f %%%n", what, count, tally.percent(what)));
  }
}
