package io.bloomgate.gateway.metrics;

import java.util.List;
import java.util.Locale;

/**
 * Every metric of the gateway: name, type, unit, labels and meaning. No other is registered but
 * those of the Java runtime, which are micrometer's; config/handbook/reference.md has a table made
 * from it.
 */
enum Metric {
  BUILD_INFO(
      "build.info", Kind.GAUGE, "", "Always 1; the labels tell what runs.", "version", "java"),
  READY(
      "ready",
      Kind.GAUGE,
      "0 or 1",
      "1 when mail may be sent here: lists are loaded and it does not drain."),
  LISTS_LOADED(
      "lists.loaded",
      Kind.GAUGE,
      "0 or 1",
      "0 while feeds are set and no list is loaded: mail passes unchecked or is put off."),
  CONNECTIONS("smtp.connections", Kind.COUNTER, "sessions", "Sessions that began."),
  SESSIONS("smtp.sessions", Kind.GAUGE, "sessions", "Sessions that are open."),
  VERDICTS(
      "verdicts",
      Kind.COUNTER,
      "decisions",
      "Decisions by verdict; would_ is before one that mode observe only noted.",
      "verdict",
      "stage",
      "mode",
      "feed"),
  OUTCOMES(
      "outcomes",
      Kind.COUNTER,
      "recipients and messages",
      "What happened to recipients and messages.",
      "outcome"),
  FEED_HITS(
      "feed.hits",
      Kind.COUNTER,
      "listings",
      "Listings that counted in a decision.",
      "feed",
      "check",
      "action"),
  RULE_HITS(
      "rule.hits",
      Kind.COUNTER,
      "decisions",
      "Decisions in which enough lists of a rule listed the session.",
      "rule",
      "action"),
  REJECTS(
      "rejects", Kind.COUNTER, "decisions", "Refused by list, entry, rule, dns, sign.", "ground"),
  CHECK_FAILURES(
      "check.failures", Kind.COUNTER, "checks", "Checks that could not be carried out.", "check"),
  ALLOW_OVERRIDES(
      "allow.overrides",
      Kind.COUNTER,
      "listings",
      "Listings that an allow entry of the operator lifted.",
      "check"),
  DNS_ANSWERS(
      "dns.list.answers",
      Kind.COUNTER,
      "answers",
      "Answers of DNS lists to questions of sessions.",
      "list",
      "result"),
  GREYLIST_VISITS(
      "greylist.visits",
      Kind.COUNTER,
      "visits",
      "Mail of senders that action greylist was asked for; first and early got 451.",
      "visit"),
  LIMITS(
      "limit.reached",
      Kind.COUNTER,
      "times",
      "Times that a limit was reached and acted on.",
      "limit"),
  UNKNOWN_DOMAINS(
      "unknown.domain.recipients", Kind.COUNTER, "recipients", "Recipients at domains not ours."),
  REMOVED_FIELDS(
      "removed.fields",
      Kind.COUNTER,
      "header fields",
      "Inbound header fields of our names that were taken out."),
  LATE_TAGS(
      "content.tag.late",
      Kind.COUNTER,
      "messages",
      "Messages sent on before their content asked for a tag."),
  MESSAGE_SIZE("message.size", Kind.SIZES, "bytes", "Content of concluded messages."),
  HELD_CONTENT(
      "held.content.bytes",
      Kind.GAUGE,
      "bytes",
      "Content in memory of messages whose clients are still sending."),
  DOWNSTREAM_DURATION(
      "downstream.duration",
      Kind.TIMES,
      "seconds",
      "Messages given to the mail server, and how long it took.",
      "result"),
  DOWNSTREAM_UP(
      "downstream.up",
      Kind.GAUGE,
      "0 or 1",
      "1 when each route has a mail server that can be used."),
  SERVER_UP(
      "downstream.server.up",
      Kind.GAUGE,
      "0 or 1",
      "1 when this mail server can be used.",
      "server",
      "route"),
  SERVER_CONNECTIONS(
      "downstream.server.connections",
      Kind.GAUGE,
      "connections",
      "Connections in use there.",
      "server",
      "route"),
  SERVER_MAX_CONNECTIONS(
      "downstream.server.max.connections",
      Kind.GAUGE,
      "connections",
      "Connections that may be in use there: downstream.max_connections.",
      "server",
      "route"),
  SERVER_FULL(
      "downstream.server.full.seconds",
      Kind.GAUGE,
      "seconds",
      "For how long all connections have been in use while clients wait for one; 0 when not so.",
      "server",
      "route"),
  SERVER_IDENTITY(
      "downstream.server.identity",
      Kind.GAUGE,
      "",
      "1 for the way in which this mail server learns the client's address.",
      "server",
      "route",
      "identity"),
  SERVER_IDENTITY_LOST(
      "downstream.server.identity.lost",
      Kind.GAUGE,
      "0 or 1",
      "1 when this mail server no longer takes the client's address, so that it gets no mail.",
      "server",
      "route"),
  FILTER_LOOKUPS(
      "filter.lookups",
      Kind.COUNTER,
      "lookups",
      "Questions to the Bloom filters by outcome.",
      "filter",
      "outcome"),
  FILTER_ENTRIES("filter.entries", Kind.GAUGE, "keys", "Keys in a filter.", "filter"),
  FILTER_SIZE("filter.size.bytes", Kind.GAUGE, "bytes", "Memory of a filter.", "filter"),
  FILTER_RATIO(
      "filter.expected.false.positive.ratio",
      Kind.GAUGE,
      "0 to 1",
      "Share of unlisted keys expected to hit.",
      "filter"),
  GENERATION(
      "filter.generation", Kind.GAUGE, "", "Number of the live generation; 0 before the first."),
  SELFTEST_ENTRIES(
      "selftest.entries",
      Kind.COUNTER,
      "entries",
      "Listed entries that the live lists were asked for at random."),
  SELFTEST_MISSED(
      "selftest.missed",
      Kind.COUNTER,
      "entries",
      "Those of them that were not found: memory or disk lost something."),
  FEED_ENTRIES("feed.entries", Kind.GAUGE, "entries", "Live entries of a feed.", "feed"),
  FEED_STATE("feed.state", Kind.GAUGE, "", "1 for the state that a feed is in.", "feed", "state"),
  FEED_AGE(
      "feed.age",
      Kind.GAUGE,
      "",
      "1 for what the age of a feed leaves of its action.",
      "feed",
      "age"),
  FEED_SUCCESS(
      "feed.last.success.timestamp.seconds",
      Kind.GAUGE,
      "seconds since 1970",
      "Last successful check of a feed.",
      "feed"),
  FEED_CHANGE(
      "feed.last.change.timestamp.seconds",
      Kind.GAUGE,
      "seconds since 1970",
      "Last new version of a feed.",
      "feed"),
  FEED_ATTEMPT(
      "feed.last.attempt.timestamp.seconds",
      Kind.GAUGE,
      "seconds since 1970",
      "Last try to fetch a feed.",
      "feed"),
  FEED_FAILURES(
      "feed.failed.fetches",
      Kind.GAUGE,
      "fetches",
      "Tries in a row to fetch a feed that had no success; 0 after a good one.",
      "feed"),
  FEED_BREAKER(
      "feed.breaker.tripped",
      Kind.GAUGE,
      "0 or 1",
      "1 when new entries of a feed are held back, see feeds show.",
      "feed"),
  FEED_ALARM("feed.alarm", Kind.GAUGE, "0 or 1", "1 when a feed is in feeds_bad.", "feed"),
  ALLOW_ENTRIES("allow.entries", Kind.GAUGE, "entries", "Allow entries of the operator."),
  BLOCK_ENTRIES("block.entries", Kind.GAUGE, "entries", "Block entries of the operator."),
  SESSIONS_LOST(
      "sessions.lost",
      Kind.COUNTER,
      "sessions",
      "Sessions that were not kept: the queue was full, or the disk failed."),
  SESSIONS_KEPT("sessions.kept.bytes", Kind.GAUGE, "bytes", "Size of the files of kept sessions."),
  SESSIONS_FILES(
      "sessions.kept.files", Kind.GAUGE, "files", "Files of kept sessions, one for each day."),
  STATE_WRITABLE(
      "state.writable", Kind.GAUGE, "0 or 1", "0 while state_dir or its entries are only read."),
  STATE_FREE("state.free.bytes", Kind.GAUGE, "bytes", "What may still be written to state_dir."),
  CAMPAIGNS(
      "campaigns",
      Kind.GAUGE,
      "campaigns",
      "Mails of which many copies came within the window; 0 while copies are not counted."),
  FLEET_CONNECTED(
      "fleet.connected",
      Kind.GAUGE,
      "0 or 1",
      "1 while Redis answers and refuses nothing; NaN for a gateway that shares nothing by way of"
          + " it."),
  FLEET_LAG(
      "fleet.lag.seconds",
      Kind.GAUGE,
      "seconds",
      "From the newest entry of the fleet to the last one that is applied here; NaN when unknown."),
  FLEET_REPLY(
      "fleet.reply.seconds",
      Kind.GAUGE,
      "seconds",
      "How long Redis took to answer the last heartbeat; NaN when unknown."),
  FLEET_CLOCK(
      "fleet.clock.offset.seconds",
      Kind.GAUGE,
      "seconds",
      "How far the clock of this gateway is ahead of that of Redis; NaN when unknown."),
  FLEET_WAITING(
      "fleet.waiting",
      Kind.GAUGE,
      "changes",
      "Changes of this gateway that wait on the disk for Redis; NaN for a gateway alone."),
  FLEET_LEADS(
      "fleet.leads", Kind.GAUGE, "0 or 1", "1 while it holds the lease; NaN for a gateway alone."),
  FLEET_SKIPPED(
      "fleet.skipped", Kind.COUNTER, "records", "What other nodes did and could not be done here."),
  FLEET_GAPS(
      "fleet.gaps",
      Kind.COUNTER,
      "gaps",
      "How often Redis had lost something that this node had sent or read."),
  FLEET_FAULTS(
      "fleet.faults", Kind.COUNTER, "faults", "Threads of the fleet that failed and went on."),
  FLEET_COUNTS_CONNECTED(
      "fleet.counts.connected",
      Kind.GAUGE,
      "0 or 1",
      "1 while counts of nodes go through Redis; 0 for a gateway that counts alone, too."),
  FLEET_COUNTS(
      "fleet.counts",
      Kind.COUNTER,
      "counts",
      "Counts of senders, rates and copies by what happened: sent to other nodes, merged from them,"
          + " or dropped because Redis was away for long.",
      "what"),
  FLEET_COUNTS_SENT(
      "fleet.counts.sent.bytes",
      Kind.COUNTER,
      "bytes",
      "Size of the keys and texts that were sent."),
  FLEET_COUNTS_SKIPPED(
      "fleet.counts.skipped",
      Kind.COUNTER,
      "batches",
      "Counts and texts of other nodes that could not be read."),
  RELOAD(
      "config.last.reload.successful",
      Kind.GAUGE,
      "0 or 1",
      "1 when the last reload of the settings succeeded."),
  RELOAD_SUCCESS(
      "config.last.reload.success.timestamp.seconds",
      Kind.GAUGE,
      "seconds since 1970",
      "Last reload that succeeded."),
  CERTIFICATE_EXPIRY(
      "tls.certificate.expiry.timestamp.seconds",
      Kind.GAUGE,
      "seconds since 1970",
      "End of the certificate that STARTTLS shows; NaN without TLS, as the next two are."),
  CERTIFICATE_RELOAD(
      "tls.certificate.last.reload.successful",
      Kind.GAUGE,
      "0 or 1",
      "1 when the newest content of the certificate's files is in use."),
  CERTIFICATE_SELF_SIGNED(
      "tls.certificate.self.signed", Kind.GAUGE, "0 or 1", "1 when no authority has signed it.");

  /** The type in the Prometheus text format, and what that format adds to the name. */
  enum Kind {
    COUNTER("counter", "_total"),
    GAUGE("gauge", ""),
    /** A histogram of octets; a gauge of the same name and {@code _max} is beside it. */
    SIZES("histogram", "_bytes"),
    /** The same of durations. */
    TIMES("histogram", "_seconds");

    private final String word;
    private final String suffix;

    Kind(String word, String suffix) {
      this.word = word;
      this.suffix = suffix;
    }
  }

  private final String name;
  private final Kind kind;
  private final String unit;
  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> labels;

  Metric(String name, Kind kind, String unit, String meaning, String... labels) {
    this.name = "bloomgate." + name;
    this.kind = kind;
    this.unit = unit;
    this.meaning = meaning;
    this.labels = List.of(labels);
  }

  /** The name for micrometer, words with dots between. */
  String meter() {
    return name;
  }

  /** The name on the metrics page. */
  String exposed() {
    return name.toLowerCase(Locale.ROOT).replace('.', '_') + kind.suffix;
  }

  /** The type on the metrics page. */
  String type() {
    return kind.word;
  }

  /** The unit of a value; empty when the labels carry all. */
  String unit() {
    return unit;
  }

  /** One sentence for operators. */
  String meaning() {
    return meaning;
  }

  /** Names of the labels that each series has. */
  List<String> labels() {
    return labels;
  }

  /** The labels with {@code values} in their order, as micrometer takes them: name, value, ... */
  String[] tags(String... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(name + " has the labels " + labels);
    }
    String[] tags = new String[2 * values.length];
    for (int i = 0; i < values.length; i++) {
      tags[2 * i] = labels.get(i);
      tags[2 * i + 1] = values[i];
    }
    return tags;
  }
}
