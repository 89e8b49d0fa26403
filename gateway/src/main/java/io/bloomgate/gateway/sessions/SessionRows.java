package io.bloomgate.gateway.sessions;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.blocklists.decision.Evidence.Pardon;
import io.bloomgate.blocklists.decision.Evidence.Pardoned;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Join;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.explain.GroundText;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.KeptDecision;
import io.bloomgate.blocklists.sessions.KeptListing;
import io.bloomgate.blocklists.sessions.KeptSession;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.LogText;
import io.bloomgate.gateway.log.SessionTrace;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Makes the rows of the store from records, with addresses as {@code sessions.privacy} asks. Pure;
 * called on the writer's thread.
 */
final class SessionRows {

  /** Replies to commands that are no command or come at the wrong time (RFC 5321 section 4.2). */
  private static final Set<Integer> TO_BAD_COMMANDS = Set.of(500, 501, 502, 503, 504);

  private SessionRows() {}

  /**
   * False for a record of neither a transaction nor a client that was turned away: a command that
   * was wrong.
   */
  static boolean isKept(DecisionRecord record) {
    return record.outcome() != Outcome.TURNED_AWAY
        || !TO_BAD_COMMANDS.contains(record.reply().code());
  }

  static KeptSession session(DecisionRecord record, Privacy privacy) {
    SessionTrace trace = record.session();
    Facts facts = trace.facts();
    String from = record.from();
    return new KeptSession(
        record.time(),
        record.client(),
        facts == null ? ClientName.UNKNOWN : facts.seen().name(),
        LogText.maskEntry(record.helo(), privacy),
        from == null ? null : LogText.mask(from, privacy),
        privacy == Privacy.NO_ADDRESSES ? List.of() : KeptSession.domains(record.to()),
        record.to().size(),
        record.protocol(),
        trace.front(),
        facts != null && facts.seen().early(),
        trace.known(),
        decision(record, privacy),
        record.sizeOctets(),
        record.took(),
        record.times(),
        false,
        missing(record, privacy));
  }

  /** What {@code sessions.privacy} hides; a client may send what looks the same. */
  private static Set<Missing> missing(DecisionRecord record, Privacy privacy) {
    if (privacy == Privacy.FULL) {
      return Set.of();
    }
    Set<Missing> missing = EnumSet.noneOf(Missing.class);
    if (!LogText.maskEntry(record.helo(), privacy).equals(record.helo())) {
      missing.add(Missing.HELO);
    }
    String from = record.from();
    if (from != null && !from.isEmpty()) {
      missing.add(Missing.SENDER);
      if (LogText.mask(from, privacy).indexOf('@') < 0) {
        missing.add(Missing.SENDER_DOMAIN);
      }
    }
    if (!record.to().isEmpty()) {
      missing.add(Missing.RECIPIENT);
    }
    return missing;
  }

  private static KeptDecision decision(DecisionRecord record, Privacy privacy) {
    Verdict verdict = record.verdict();
    return new KeptDecision(
        record.id(),
        record.stage(),
        record.mode(),
        record.outcome(),
        record.to().isEmpty() ? "" : LogText.mask(record.to().getFirst(), privacy),
        verdict == null ? "" : verdict.key(),
        verdict == null ? 0 : verdict.evidence().generation(),
        verdict == null ? List.of() : listings(verdict, privacy),
        reply(record, privacy));
  }

  /** A mail server may name the local part of an address alone. */
  private static String reply(DecisionRecord record, Privacy privacy) {
    String text = LogText.maskInside(record.reply().toString(), privacy);
    return switch (record.outcome()) {
      case DELIVERED, UPSTREAM_REFUSED, UPSTREAM_FAILED, UNKNOWN -> {
        List<String> addresses = new ArrayList<>(record.to());
        if (record.from() != null) {
          addresses.add(record.from());
        }
        yield LogText.maskLocalParts(text, addresses, privacy);
      }
      case REFUSED, WOULD_REFUSE, PROTOCOL, TURNED_AWAY, ABANDONED -> text;
    };
  }

  private static List<KeptListing> listings(Verdict verdict, Privacy privacy) {
    List<KeptListing> listings = new ArrayList<>();
    for (Ground ground : verdict.evidence().standing()) {
      add(ground, "", privacy, listings);
    }
    for (Pardoned lifted : verdict.evidence().pardoned()) {
      add(lifted.ground(), why(lifted.pardon(), privacy), privacy, listings);
    }
    return listings;
  }

  private static String why(Pardon pardon, Privacy privacy) {
    String why = GroundText.why(pardon);
    if (pardon instanceof Pardon.Allowed(OperatorEntry entry)) {
      String subject = entry.subject().toString();
      return why.replace("(" + subject + ")", "(" + LogText.maskEntry(subject, privacy) + ")");
    }
    return why;
  }

  private static Ground.Weakness weakness(Ground.Exact ground) {
    return switch (ground) {
      case Ground.OfList listed -> listed.weakness();
      case Ground.RuleMet met -> met.weakness();
      case Ground.Blocked blocked -> blocked.weakness();
    };
  }

  private static void add(
      Ground ground, String pardon, Privacy privacy, List<KeptListing> listings) {
    switch (ground) {
      case Ground.Exact exact ->
          listings.add(
              new KeptListing(
                  exact.check(),
                  LogText.maskEntry(exact.subject().toString(), privacy),
                  exact.source(),
                  LogText.maskEntry(exact.entry(), privacy),
                  exact.line(),
                  Join.action(exact),
                  pardon,
                  Place.of(weakness(exact).word()).orElse(Place.OPEN),
                  weakness(exact) == Ground.Weakness.EXEMPT));
      case Ground.Failed ignored -> {}
    }
  }
}
