package io.bloomgate.gateway.sessions;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Evidence.Pardoned;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Join;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.explain.GroundText;
import io.bloomgate.blocklists.sessions.KeptDecision;
import io.bloomgate.blocklists.sessions.KeptListing;
import io.bloomgate.blocklists.sessions.KeptSession;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.LogText;
import io.bloomgate.gateway.log.SessionTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
        record.helo(),
        from == null ? null : LogText.mask(from, privacy),
        privacy == Privacy.NO_ADDRESSES ? List.of() : domains(record.to()),
        record.to().size(),
        record.protocol(),
        trace.front(),
        facts != null && facts.seen().early(),
        trace.known(),
        decision(record, privacy),
        record.sizeOctets(),
        record.took(),
        record.times());
  }

  private static List<String> domains(List<String> to) {
    List<String> domains = new ArrayList<>();
    for (String recipient : to) {
      String domain = recipient.substring(recipient.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
      if (domains.size() < KeptSession.MAX_DOMAINS
          && recipient.indexOf('@') >= 0
          && !domains.contains(domain)) {
        domains.add(domain);
      }
    }
    return domains;
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
        LogText.maskInside(record.reply().toString(), privacy));
  }

  private static List<KeptListing> listings(Verdict verdict, Privacy privacy) {
    List<KeptListing> listings = new ArrayList<>();
    for (Ground ground : verdict.evidence().standing()) {
      add(ground, "", privacy, listings);
    }
    for (Pardoned lifted : verdict.evidence().pardoned()) {
      add(lifted.ground(), GroundText.why(lifted.pardon()), privacy, listings);
    }
    return listings;
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
                  pardon));
      case Ground.Failed ignored -> {}
    }
  }
}
