package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.decision.Grounds.Pardoned;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.explain.GroundText;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.LogSettings.Privacy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a decision what is written of it, with addresses as {@code log.privacy} or {@code
 * sessions.privacy} asks: rows, lines and {@code tail} are forms of that. Pure; called on the
 * threads that write.
 */
public final class DecisionEvidence {

  private DecisionEvidence() {}

  /** All that is written of a decision. */
  public static Evidence of(DecisionRecord record, Privacy privacy) {
    SessionTrace trace = record.session();
    Facts facts = trace.facts();
    ClientName name = facts == null ? ClientName.UNKNOWN : facts.seen().name();
    String from = record.from();
    return new Evidence(
        record.time(),
        record.client(),
        LogText.maskEntry(record.helo(), privacy),
        from == null ? null : LogText.mask(from, privacy),
        privacy == Privacy.NO_ADDRESSES ? List.of() : Evidence.domains(record.to()),
        record.to().size(),
        record.protocol(),
        trace.front(),
        decision(record, privacy),
        record.sizeOctets(),
        record.took(),
        record.times(),
        new RareFacts(
                name.name(),
                name.state(),
                facts != null && facts.seen().early(),
                trace.known(),
                false,
                missing(record, privacy),
                trace.bulk(),
                passed(record),
                trace.connection(),
                privacy == Privacy.FULL ? trace.messageId() : "",
                profile(record, privacy))
            .withRecipients(
                record.to().size() > 1 && privacy == Privacy.FULL ? first(record.to()) : List.of(),
                dropped(record, privacy)));
  }

  /** The first ones, few and not long: a stranger writes them, and a row has a limit. */
  private static List<String> first(List<String> recipients) {
    int[] characters = new int[1];
    return recipients.stream()
        .limit(RareFacts.MAX_RECIPIENTS)
        .takeWhile(to -> (characters[0] += to.length()) <= RareFacts.MAX_RECIPIENTS_LENGTH)
        .toList();
  }

  /** Copies that ended here, where the mail was taken at all. */
  private static List<String> dropped(DecisionRecord record, Privacy privacy) {
    return record.outcome() == Outcome.DELIVERED
        ? first(record.session().droppedFor()).stream()
            .map(to -> LogText.mask(to, privacy))
            .toList()
        : List.of();
  }

  /** A local part in the settings is one of an address, too. */
  private static String profile(DecisionRecord record, Privacy privacy) {
    Verdict verdict = record.verdict();
    Grounds.Profile apart = record.session().profile();
    Grounds.Profile profile =
        apart == null && verdict != null ? verdict.grounds().profile() : apart;
    return profile == null
        ? ""
        : new Grounds.Profile(
                profile.name(), LogText.maskEntry(profile.entry(), privacy), profile.byCommand())
            .words();
  }

  /** Returns what the privacy hides; a client may send what looks the same. */
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

  private static Evidence.Decision decision(DecisionRecord record, Privacy privacy) {
    Verdict verdict = record.verdict();
    return new Evidence.Decision(
        record.id(),
        record.stage(),
        record.mode(),
        record.outcome(),
        record.to().isEmpty() ? "" : LogText.mask(record.to().getFirst(), privacy),
        verdict == null ? "" : verdict.key(),
        verdict == null ? 0 : verdict.grounds().generation(),
        verdict == null ? List.of() : listings(verdict.grounds(), privacy),
        reply(record, privacy));
  }

  /** A mail server may name the local part of an address alone. */
  private static String reply(DecisionRecord record, Privacy privacy) {
    String text = LogText.maskInside(record.reply().toString(), privacy);
    if (privacy == Privacy.FULL) {
      return text;
    }
    return switch (record.outcome()) {
      case DELIVERED, UPSTREAM_REFUSED, UPSTREAM_FAILED, UNKNOWN -> {
        List<String> addresses = new ArrayList<>(record.to());
        if (record.from() != null) {
          addresses.add(record.from());
        }
        yield LogText.maskLocalParts(text, addresses, privacy);
      }
      case REFUSED, WOULD_REFUSE, PROTOCOL, TURNED_AWAY, ABANDONED, DROPPED -> text;
    };
  }

  private static List<Evidence.Listing> listings(Grounds grounds, Privacy privacy) {
    List<Evidence.Listing> listings = new ArrayList<>();
    for (Ground ground : grounds.standing()) {
      found(ground)
          .map(found -> Evidence.Listing.of(found, "", text -> LogText.maskEntry(text, privacy)))
          .ifPresent(listings::add);
    }
    for (Pardoned lifted : grounds.pardoned()) {
      String why = why(lifted.pardon(), privacy);
      found(lifted.ground())
          .map(found -> Evidence.Listing.of(found, why, text -> LogText.maskEntry(text, privacy)))
          .ifPresent(listings::add);
    }
    return listings;
  }

  private static String why(Pardon pardon, Privacy privacy) {
    String why = GroundText.why(pardon);
    if (pardon instanceof Pardon.Allowed(var entry)) {
      String subject = entry.subject().toString();
      return why.replace("(" + subject + ")", "(" + LogText.maskEntry(subject, privacy) + ")");
    }
    return why;
  }

  private static Optional<Ground.Found> found(Ground ground) {
    return ground instanceof Ground.Found found ? Optional.of(found) : Optional.empty();
  }

  /** The same with the client that a trusted forwarder named, or else the forwarder itself. */
  private static Map<String, String> passed(DecisionRecord record) {
    Map<String, String> why = passedBecause(record.verdict());
    Facts facts = record.session().facts();
    if (facts == null || facts.seen().forwarder() == null) {
      return why;
    }
    Map<String, String> more = new LinkedHashMap<>(why);
    more.put(Evidence.FORWARDED_FOR, facts.client().toString());
    return more;
  }

  /**
   * Fields that say why lists did not stop a mail that they name: greylisting let it in, the
   * recipient or the client's network is exempt, or an entry of the operator allows it.
   */
  private static Map<String, String> passedBecause(@Nullable Verdict verdict) {
    return switch (verdict) {
      case Verdict.Tag(Ground.Found ground, var ignored) when isForExemptToo(ground) ->
          Map.of("exempt", "recipient");
      case Verdict.Accept(Grounds grounds) -> passedBecause(grounds);
      case null, default -> Map.of();
    };
  }

  /** The content would do more than tag if none of the recipients were exempt. */
  private static boolean isForExemptToo(Ground.Found ground) {
    return ground.weakness() == Weakness.EXEMPT
        || (ground instanceof Ground.RuleMet met
            && met.counted().stream().anyMatch(DecisionEvidence::isForExemptToo));
  }

  private static Map<String, String> passedBecause(Grounds grounds) {
    if (grounds.standing().isEmpty() && grounds.pardoned().isEmpty()) {
      return Map.of(); // as of most mail
    }
    if (grounds.waiver() != null) {
      String exempt =
          switch (grounds.waiver()) {
            case EXEMPT_RECIPIENT -> "recipient";
            case EXEMPT_NETWORK -> "network";
            case PROFILE -> "profile";
          };
      return listed(grounds, Pardon.Waived.class)
          .map(lifted -> fields(lifted, "exempt", exempt))
          .orElse(Map.of());
    }
    boolean cameAgain =
        !grounds.standing().isEmpty()
            && grounds.standing().getFirst() instanceof Ground.Found first
            && first.action() == Action.GREYLIST;
    return cameAgain
        ? Map.of("greylist", "let_in")
        : listed(grounds, Pardon.Allowed.class)
            .map(lifted ->
                lifted.pardon() instanceof Pardon.Allowed(var entry)
                    ? fields(lifted, "allowed", entry.id())
                    : Map.<String, String>of())
            .orElse(Map.of());
  }

  /** The strongest of the listings that would have had an effect without this kind of pardon. */
  private static Optional<Pardoned> listed(Grounds grounds, Class<? extends Pardon> kind) {
    return grounds.pardoned().stream()
        .filter(lifted -> kind.isInstance(lifted.pardon()))
        .filter(lifted -> action(lifted).compareTo(Action.OBSERVE) > 0)
        .max(Comparator.comparing(DecisionEvidence::action));
  }

  private static Action action(Pardoned lifted) {
    return found(lifted.ground()).map(Ground.Found::action).orElse(Action.OBSERVE);
  }

  private static Map<String, String> fields(Pardoned lifted, String name, String value) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("listed", found(lifted.ground()).map(Ground.Found::source).orElse(""));
    fields.put(name, value);
    return fields;
  }
}
