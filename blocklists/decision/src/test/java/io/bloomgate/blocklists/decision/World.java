package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Policy.FeedRule;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.AsnRow;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.BulkSettings;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Rule;
import io.bloomgate.config.settings.Rule.Where;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Feeds, operator entries and a policy for one test. Feeds become a real generation on disk,
 * because only the indexes make listings.
 *
 * <p>Entries of feeds: an address or network; {@code =name} for the name alone, {@code *.name} for
 * what is below it, {@code name} for both; a mail address; {@code !} before any of these for an
 * exception.
 */
public final class World {

  public static final Instant NOW = Instant.parse("2026-11-21T07:30:00Z");

  /** Generations by what is in them: many tests ask the same lists. */
  private static final Map<Map<String, List<ListEntry>>, ListSnapshot> BUILT =
      new ConcurrentHashMap<>();

  private final Path directory;
  private final Map<String, List<ListEntry>> feeds = new LinkedHashMap<>();
  private final Map<String, FeedRule> rules = new HashMap<>();
  private final List<ListRule> listRules = new ArrayList<>();
  private final Map<String, String> families = new HashMap<>();
  private final Map<String, Instant> lastSuccess = new HashMap<>();
  private final List<OperatorEntry> entries = new ArrayList<>();
  private final List<IpPrefix> exemptNetworks = new ArrayList<>();
  final List<IpPrefix> forwarders = new ArrayList<>();
  private final List<ProtectedSet> protectedSets = new ArrayList<>();
  private final Map<String, RecipientProfile> recipients =
      new LinkedHashMap<>(RecipientProfile.exempt(List.of("postmaster", "abuse")));
  private Signs signs = Signs.NONE;
  private Lists.Known known = Lists.Known.NOBODY;
  private Settings.Policy.OnError onError = Settings.Policy.OnError.ACCEPT;
  private @Nullable ListSnapshot snapshot;

  public World(Path directory) {
    this.directory = directory;
  }

  /** A feed with all checks. */
  public World feed(String name, Action action, String... lines) {
    return feed(name, action, EnumSet.allOf(Check.class), lines);
  }

  public World feed(String name, Action action, Set<Check> checks, String... lines) {
    List<ListEntry> list = new ArrayList<>();
    for (String line : lines) {
      list.add(entry(line, list.size() + 1));
    }
    feeds.put(name, list);
    rules.put(name, new FeedRule(rules.size(), checks, action, null, null));
    snapshot = null;
    return this;
  }

  /** Gives a feed an age and bounds for it. */
  World aged(String feed, Duration age, Duration staleAfter, Duration expireAfter) {
    rules.computeIfPresent(
        feed,
        (name, rule) ->
            new FeedRule(rule.order(), rule.checks(), rule.action(), staleAfter, expireAfter));
    lastSuccess.put(feed, NOW.minus(age));
    return this;
  }

  /** Lists of one family count once in the rules that follow. */
  World family(String family, String... members) {
    for (String member : members) {
      families.put(member, family);
    }
    return this;
  }

  /** Adds a rule: this number of these feeds together asks for an action. */
  public World any(String name, int needed, Action action, String... of) {
    return rule(new Rule(name, needed, false, List.of(of), action));
  }

  /** All of these feeds together ask for an action. */
  World all(String name, Action action, String... of) {
    return rule(new Rule(name, of.length, true, List.of(of), action));
  }

  private World rule(Rule rule) {
    listRules.add(new ListRule(rule, families, 1000 + listRules.size()));
    return this;
  }

  /** These signs count; the gateway is mx.example.com, its domains example.com and .example.net. */
  World signs(Map<Sign, Action> actions) {
    signs =
        new Signs(
            actions,
            "mx.example.com",
            List.of("example.com", ".example.net"),
            List.of(),
            new BulkSettings(20, 50, Duration.ofHours(1), 100_000));
    return this;
  }

  /** Mail of this domain was accepted from this network before. */
  World known(String network, String senderDomain) {
    known =
        (client, sender) ->
            prefix(network).contains(client)
                && senderDomain.equals(sender == null ? "" : sender.toString());
    return this;
  }

  /** As {@link #any}, but for senders that are known. */
  World anyUnlessKnown(String name, int needed, Action action, String... of) {
    return rule(new Rule(name, needed, false, List.of(of), action, true, Where.ANYWHERE));
  }

  /** As {@link #any}, for clients in some networks. */
  public World anyFrom(Where where, String name, Action action, String... of) {
    return rule(new Rule(name, 1, false, List.of(of), action, false, where));
  }

  /** A table whose rows are {@code NETWORK ASN COUNTRY}, a dash for none. */
  public World table(String name, String... rows) {
    return feed(name, Action.OBSERVE, Set.of(), rows);
  }

  public World withoutRule(String feed) {
    rules.remove(feed);
    return this;
  }

  public World allow(String... lines) {
    return operator(ListKind.ALLOW, lines);
  }

  public World block(String... lines) {
    return operator(ListKind.BLOCK, lines);
  }

  private World operator(ListKind list, String... lines) {
    for (String line : lines) {
      entries.add(operatorEntry("e" + (entries.size() + 1), list, line));
    }
    return this;
  }

  /** Gives recipients a profile, by an entry as settings have it. */
  public World profile(String entry, RecipientProfile profile) {
    recipients.put(entry, profile);
    return this;
  }

  World exemptNetwork(String network) {
    exemptNetworks.add(prefix(network));
    return this;
  }

  /** Protects networks, and names with a leading dot for what is below. */
  public World protect(String word, String... members) {
    List<IpPrefix> networks = new ArrayList<>();
    Set<DomainName> names = new HashSet<>();
    List<DomainName> trees = new ArrayList<>();
    for (String member : members) {
      if (member.startsWith(".")) {
        trees.add(domain(member.substring(1)));
      } else {
        IpPrefix.parse(member)
            .toOptional()
            .ifPresentOrElse(networks::add, () -> names.add(domain(member)));
      }
    }
    protectedSets.add(new ProtectedSet(word, networks, names, trees, false));
    return this;
  }

  public World protect(ProtectedSet set) {
    protectedSets.add(set);
    return this;
  }

  World protectPublicSuffixes() {
    protectedSets.add(new ProtectedSet("public-suffixes", List.of(), Set.of(), List.of(), true));
    return this;
  }

  World onError(Settings.Policy.OnError choice) {
    onError = choice;
    return this;
  }

  /** Uses this snapshot instead of building one of the feeds. */
  public World snapshot(ListSnapshot given) {
    snapshot = given;
    return this;
  }

  public Policy policy() {
    return new Policy(
        rules, listRules, signs, recipients, exemptNetworks, forwarders, onError, protectedSets);
  }

  public Lists lists() {
    return new Lists(snapshot(), OperatorView.of(entries), lastSuccess).withKnown(known);
  }

  List<OperatorEntry> entries() {
    return entries;
  }

  Verdict decide(Facts facts) {
    return Gather.verdict(facts, lists(), policy(), NOW);
  }

  public ListSnapshot snapshot() {
    if (snapshot == null) {
      snapshot = BUILT.computeIfAbsent(Map.copyOf(feeds), _ -> build());
    }
    return snapshot;
  }

  private ListSnapshot build() {
    List<FeedInput> inputs = new ArrayList<>();
    feeds.forEach((name, list) -> inputs.add(new FeedInput(name, "v1", list::forEach)));
    try (SnapshotStore store =
        SnapshotStore.open(
            directory.resolve("snapshots"),
            new SnapshotBuilder(new Random(7)),
            InstantSource.fixed(NOW),
            alarm -> {
              throw new AssertionError(alarm);
            })) {
      return store.build(inputs, new BuildOptions(0.001, 1 << 20, 5));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SnapshotBuildException e) {
      throw new AssertionError(e);
    }
  }

  public static OperatorEntry operatorEntry(String id, ListKind list, String line) {
    NewEntry wish =
        value(line, OperatorText.parse(list, line))
            .orElseThrow(() -> new AssertionError(line))
            .entry();
    return new NewEntry(
            list,
            wish.subject(),
            wish.from(),
            wish.scope(),
            wish.anyScope(),
            wish.reason(),
            wish.expires())
        .entry(id, "alice", NOW.minusSeconds(60));
  }

  private static ListEntry entry(String text, int line) {
    boolean exception = text.startsWith("!");
    String rest = exception ? text.substring(1) : text;
    if (rest.matches("AS[0-9]+")) {
      return new ListEntry.As(value(rest, AsNumber.parse(rest)), exception, line);
    }
    if (rest.indexOf(' ') > 0) {
      String[] row = rest.split(" ", -1);
      AsNumber as = AsNumber.parse(row[1]).toOptional().orElse(null);
      return new AsnRow(prefix(row[0]), as, row[2].replace("-", ""), line);
    }
    if (rest.indexOf('@') >= 0) {
      return new ListEntry.Address(address(rest), exception, line);
    }
    if (rest.startsWith("=")) {
      return new ListEntry.Domain(domain(rest.substring(1)), NameMatch.EXACT, exception, line);
    }
    if (rest.startsWith("*.")) {
      return new ListEntry.Domain(domain(rest.substring(2)), NameMatch.BELOW, exception, line);
    }
    return IpPrefix.parse(rest)
        .toOptional()
        .<ListEntry>map(prefix -> new ListEntry.Network(prefix, exception, line))
        .orElseGet(() -> new ListEntry.Domain(domain(rest), NameMatch.SUFFIX, exception, line));
  }

  static IpAddress ip(String text) {
    return value(text, IpAddress.parse(text));
  }

  static IpPrefix prefix(String text) {
    return value(text, IpPrefix.parse(text));
  }

  static DomainName domain(String text) {
    return value(text, DomainName.parse(text));
  }

  static MailAddress address(String text) {
    return value(text, MailAddress.parse(text));
  }

  /** What a DNS list answers about a client, or about a name. */
  static DnsListing answer(String list, Check check, String subject) {
    return new DnsListing(
        list,
        check,
        check == Check.CLIENT_IP ? ip(subject) : domain(subject),
        list + ".example",
        ip("127.0.0.2"),
        Duration.ofMinutes(1),
        NOW);
  }

  /** A client that has said nothing yet. */
  static Facts client(String address) {
    return Facts.ofClient(ip(address));
  }

  /** A client with HELO and sender; empty texts for none. */
  public static Facts session(String client, String helo, String from) {
    return client(client)
        .withHelo(HeloKeys.parse(helo).orElse(null))
        .withSender(from.isEmpty() ? null : address(from));
  }

  /** A local part at example.com, or a whole address of ours. */
  static Facts to(Facts facts, String recipient) {
    int at = recipient.indexOf('@');
    return facts.withRecipient(
        at < 0
            ? new Facts.Recipient(recipient, "example.com", true)
            : new Facts.Recipient(recipient.substring(0, at), recipient.substring(at + 1), true));
  }

  private static <T> T value(String text, Parsed<T> parsed) {
    return parsed.toOptional().orElseThrow(() -> new AssertionError(text));
  }

  /** The verdict in one line: {@code reject client_ip drop 203.0.113.0/24}. */
  public static String line(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Accept ignored -> "accept";
      case Verdict.Tag tag -> "tag " + line(tag.ground());
      case Verdict.Greylist greylist -> "greylist " + line(greylist.ground());
      case Verdict.Tempfail tempfail -> "tempfail " + line(tempfail.ground());
      case Verdict.Reject reject -> "reject " + line(reject.ground());
    };
  }

  public static String line(Ground ground) {
    return switch (ground) {
      case Ground.Found exact -> exact.check().key() + " " + exact.source() + " " + exact.entry();
      case Ground.Failed failed -> failed.check().key() + " failed";
    };
  }
}
