package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.ListRule;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.index.ListingFixture;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Rule;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decisions for the tests of this package. */
public final class Decisions {

  public static final Instant NOW = Instant.parse("2026-11-01T07:39:01Z");
  public static final String ID = "7K3Q9ZT2AB";

  private Decisions() {}

  public static Verdict rejectedBy(String feed, String entry, String client) {
    Ground.Listed ground = listed(feed, entry, client, Action.REJECT);
    return new Verdict.Reject(ground, grounds(ground));
  }

  public static Verdict taggedBy(String feed, String entry, String client) {
    Ground.Listed ground = listed(feed, entry, client, Action.TAG);
    return new Verdict.Tag(ground, grounds(ground));
  }

  /** A client that a rule over these DNS lists rejects. */
  public static DecisionRecord refusedByRule(String client, String rule, String... lists) {
    List<Ground.OfList> counted = new ArrayList<>();
    for (String list : lists) {
      counted.add(byDns(list, client, Action.OBSERVE));
    }
    Rule settings = new Rule(rule, lists.length, true, List.of(lists), Action.REJECT);
    Ground.RuleMet met =
        new Ground.RuleMet(
            new ListRule(settings, Map.of(), 0),
            lists.length,
            counted,
            Action.REJECT,
            Ground.Weakness.NONE);
    return refused(client, String.join(", ", lists), new Verdict.Reject(met, grounds(met)));
  }

  /** A client that a weak list names, and that came again. */
  public static Verdict letIn(String feed, String client) {
    return new Verdict.Accept(grounds(listed(feed, client, client, Action.GREYLIST)));
  }

  /** A listed client that writes to an exempt recipient. */
  public static Verdict exemptRecipient(String feed, String client) {
    Grounds.Waiver exempt = Grounds.Waiver.EXEMPT_RECIPIENT;
    return passed(
        exempt,
        null,
        waived("watch", client, Action.OBSERVE, exempt),
        waived(feed, client, Action.REJECT, exempt));
  }

  /** A listed client that writes to a recipient whose profile refuses nothing. */
  public static Verdict ofProfile(String feed, String client, String profile, String entry) {
    return passed(
        Grounds.Waiver.PROFILE,
        new Grounds.Profile(profile, entry),
        waived(feed, client, Action.REJECT, Grounds.Waiver.PROFILE));
  }

  private static Grounds.Pardoned waived(
      String feed, String client, Action action, Grounds.Waiver waiver) {
    return new Grounds.Pardoned(
        listed(feed, client, client, action), new Grounds.Pardon.Waived(waiver));
  }

  private static Verdict passed(
      Grounds.@Nullable Waiver waiver,
      Grounds.@Nullable Profile profile,
      Grounds.Pardoned... pardoned) {
    return new Verdict.Accept(
        new Grounds(412, List.of(), List.of(pardoned), List.of(), waiver, profile));
  }

  /** A client that a list rejects, and a recipient whose profile lets it. */
  public static Verdict rejectedFor(String feed, String client, String profile, String entry) {
    Ground.Listed ground = listed(feed, client, client, Action.REJECT);
    return new Verdict.Reject(
        ground,
        new Grounds(
            412, List.of(ground), List.of(), List.of(), null, new Grounds.Profile(profile, entry)));
  }

  /** A client that a list names which does not count for the recipient. */
  public static Verdict leftOut(String profile, String entry) {
    return passed(null, new Grounds.Profile(profile, entry));
  }

  /** A listed client that the operator allows. */
  public static Verdict allowed(String feed, String client, String entry) {
    OperatorEntry allow =
        NewEntry.of(ListKind.ALLOW, IpPrefix.parse(client).toOptional().orElseThrow(), "")
            .entry(entry, "alice", NOW);
    return passed(
        null,
        null,
        new Grounds.Pardoned(
            listed(feed, client, client, Action.REJECT), new Grounds.Pardon.Allowed(allow)));
  }

  /** A mail with a blocked link, to an exempt recipient among others. */
  public static Verdict exemptAmong(String name) {
    DomainName host = DomainName.parse(name).toOptional().orElseThrow();
    Ground.Blocked ground =
        new Ground.Blocked(Check.URL_HOST, host, block(host), Ground.Weakness.EXEMPT);
    return new Verdict.Tag(ground, grounds(ground));
  }

  private static OperatorEntry block(DomainName host) {
    return new NewEntry(ListKind.BLOCK, host, null, Set.of(Check.URL_HOST), false, "", null)
        .entry("e1", "alice", NOW);
  }

  private static Ground.ByDns byDns(String list, String client, Action action) {
    IpAddress address = IpAddress.parse(client).toOptional().orElseThrow();
    IpAddress answer = IpAddress.parse("127.0.0.4").toOptional().orElseThrow();
    return new Ground.ByDns(
        new DnsListing(
            list, Check.CLIENT_IP, address, list + ".example", answer, Duration.ofMinutes(10), NOW),
        action);
  }

  public static Verdict accepted() {
    return new Verdict.Accept(grounds());
  }

  public static Reply refusal(String client, String feed, String id) {
    return Reply.of(
        554,
        "5.7.1",
        "Service unavailable; Client host ["
            + client
            + "] blocked using "
            + feed
            + " ["
            + id
            + "]");
  }

  /** A rejected client with everything ordinary. */
  public static DecisionRecord refused(String client, String feed) {
    return refused(client, feed, rejectedBy(feed, "203.0.113.0/24", client));
  }

  private static DecisionRecord refused(String client, String feeds, Verdict verdict) {
    return record(
        client,
        Outcome.REFUSED,
        verdict,
        refusal(client, feeds, ID),
        "spam.example",
        "a@spam.example",
        "bob@example.com");
  }

  /** The same of an ordinary sender. */
  public static DecisionRecord mail(
      String client, Outcome outcome, @Nullable Verdict verdict, Reply reply, String... to) {
    return record(client, outcome, verdict, reply, "mail.example", "a@b.example", to);
  }

  public static DecisionRecord record(
      String client,
      Outcome outcome,
      @Nullable Verdict verdict,
      Reply reply,
      String helo,
      @Nullable String from,
      String... to) {
    return new DecisionRecord(
        NOW,
        ID,
        outcome == Outcome.DELIVERED ? Stage.DATA : Stage.RCPT,
        verdict,
        outcome == Outcome.WOULD_REFUSE ? Mode.OBSERVE : Mode.ENFORCE,
        outcome,
        IpAddress.parse(client).toOptional().orElseThrow(),
        helo,
        from,
        List.of(to),
        "ESMTP",
        reply,
        outcome == Outcome.DELIVERED ? 4096 : 0,
        Duration.ofMillis(12),
        1,
        trace("", null, null),
        List.of());
  }

  /** A mail that is refused at its end, because the operator blocks a host that it links to. */
  public static DecisionRecord refusedByContent(String client, Outcome outcome) {
    DomainName host = DomainName.parse("evil.example").toOptional().orElseThrow();
    Ground.Blocked ground = new Ground.Blocked(Check.URL_HOST, host, block(host));
    return at(
        Stage.DATA,
        record(
            client,
            outcome,
            new Verdict.Reject(ground, grounds(ground)),
            refusal(client, "operator", ID),
            "mail.example",
            "a@b.example",
            "bob@example.com"));
  }

  /** A session of whose mail nothing is known. */
  public static SessionTrace trace(
      String front, @Nullable Facts facts, @Nullable Object transaction) {
    return trace(front, facts, transaction, "");
  }

  /** The same of a connection with this id. */
  @SuppressWarnings(
      "NullAway") // it reads the annotation of the nested type of the last one wrongly
  static SessionTrace trace(
      String front, @Nullable Facts facts, @Nullable Object transaction, String connection) {
    return new SessionTrace(
        front, facts, false, transaction, null, List.of(), connection, "", null, List.of());
  }

  /** The same decision with another id and time. */
  public static DecisionRecord with(DecisionRecord r, String id, Instant time) {
    return with(r, id, time, r.session());
  }

  /** The same of another session. */
  public static DecisionRecord with(
      DecisionRecord r, String id, Instant time, SessionTrace session) {
    return copy(r, r.mode(), r.stage(), id, time, r.reply(), session, r.quoted());
  }

  /** The same decision about a message that quotes these ids. */
  public static DecisionRecord quoting(DecisionRecord r, String... ids) {
    return copy(r, r.mode(), r.stage(), r.id(), r.time(), r.reply(), r.session(), List.of(ids));
  }

  /** The same decision at another stage. */
  public static DecisionRecord at(Stage stage, DecisionRecord r) {
    return copy(r, r.mode(), stage, r.id(), r.time(), r.reply(), r.session(), r.quoted());
  }

  /** The same decision in mode observe. */
  public static DecisionRecord observed(DecisionRecord r) {
    return copy(r, Mode.OBSERVE, r.stage(), r.id(), r.time(), r.reply(), r.session(), r.quoted());
  }

  /** A refusal as mode soft words it. */
  public static DecisionRecord softened(DecisionRecord r) {
    Reply reply = Replies.softened(r.reply());
    return copy(r, Mode.SOFT, r.stage(), r.id(), r.time(), reply, r.session(), r.quoted());
  }

  private static DecisionRecord copy(
      DecisionRecord r,
      Mode mode,
      Stage stage,
      String id,
      Instant time,
      Reply reply,
      SessionTrace session,
      List<String> quoted) {
    return new DecisionRecord(
        time,
        id,
        stage,
        r.verdict(),
        mode,
        r.outcome(),
        r.client(),
        r.helo(),
        r.from(),
        r.to(),
        r.protocol(),
        reply,
        r.sizeOctets(),
        r.took(),
        r.times(),
        session,
        quoted);
  }

  private static Ground.Listed listed(String feed, String entry, String client, Action action) {
    return new Ground.Listed(
        Check.CLIENT_IP,
        IpAddress.parse(client).toOptional().orElseThrow(),
        ListingFixture.network(feed, entry, 17),
        action);
  }

  private static Grounds grounds(Ground... standing) {
    return new Grounds(412, List.of(standing), List.of(), List.of(), null);
  }
}
