package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.decision.ContentKey;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.sessions.KeptDecision;
import io.bloomgate.blocklists.sessions.KeptListing;
import io.bloomgate.blocklists.sessions.KeptSession;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Rule;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What lists said of a kept session, as {@code explain} shows it: feeds' entries, answers of DNS
 * lists, signs, rules and entries of the operator. Called by {@link ExplainHandler}; pure but for
 * {@link #block}.
 *
 * @param settings those of now; a list that they no longer name is taken for a feed
 * @param then the answer by the lists of that moment, if they are known
 * @param now the answer by the lists of now
 */
record IncidentListings(
    KeptSession session, Settings settings, Optional<Explanation> then, Optional<Explanation> now) {

  private static final Logger LOG = LoggerFactory.getLogger(IncidentListings.class);

  private static final String OPERATOR = "operator";

  static boolean isBlock(KeptSession session) {
    return session
        .decision()
        .deciding()
        .filter(listing -> listing.list().equals(OPERATOR))
        .isPresent();
  }

  /**
   * The block that decided, when the store has one such entry only; its text may have been cut.
   * Those of files are not looked for.
   */
  static Optional<OperatorEntry> block(KeptSession session, OperatorLists lists) {
    String text = session.decision().deciding().map(KeptListing::entry).orElse("");
    boolean cut = text.endsWith(KeptSession.CUT);
    String kept = cut ? text.substring(0, text.length() - KeptSession.CUT.length()) : text;
    if (kept.isEmpty() || !KeptSession.looksWhole(kept)) {
      return Optional.empty();
    }
    try {
      List<OperatorEntry> found =
          lists.page(ListKind.BLOCK, kept, 0).entries().stream()
              .filter(entry -> {
                String subject = entry.subject().toString();
                return cut ? subject.startsWith(kept) : subject.equals(kept);
              })
              .toList();
      return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    } catch (OperatorListsException e) {
      LOG.warn("the operator's entries cannot be read: {}", Faults.words(e));
      return Optional.empty();
    }
  }

  /** The listings, as the members of contract, section 7, have them. */
  JsonValue json() {
    List<JsonValue> all = new ArrayList<>();
    session.decision().listings().forEach(listing -> all.add(json(listing)));
    return new JsonArray(all);
  }

  private JsonValue json(KeptListing listing) {
    Optional<Explanation.Line> known = line(listing);
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("feed", listing.list())
            .put("entry", listing.entry())
            .put("line", listing.line() > 0 ? JsonValue.of(listing.line()) : JsonValue.NULL)
            .put("since", known.map(line -> EntryJson.text(line.since())).orElse(null))
            .put("action", listing.action().name().toLowerCase(Locale.ROOT))
            .put("kind", listing.check().key());
    if (listing.place() != ContentKey.Place.OPEN) {
      json.put("weakness", listing.place().word());
    } else if (listing.exemptAmong()
        || (listing.action() == Action.TAG
            && known.filter(IncidentListings::isForExempt).isPresent())) {
      json.put("weakness", Ground.Weakness.EXEMPT.word());
    }
    if (known.isEmpty()) {
      listing.alike().ifPresent(alike -> json.put("id", alike.id()));
    }
    known.ifPresent(line -> {
      json.put("since_at_least", line.sinceAtLeast());
      if (line.ground() instanceof Ground.Blocked blocked) {
        json.put("id", blocked.block().id()).put("reason", blocked.block().reason());
      }
      if (line.until() != null) {
        json.put("until", EntryJson.text(line.until()));
      }
    });
    Rule rule = settings.rules().get(listing.list());
    if (rule != null && KeptSession.looksWhole(listing.entry())) {
      json.put(
          "rule",
          JsonValue.object()
              .put("needed", rule.needed())
              .put("counted", JsonValue.ofStrings(counted(listing)))
              .build());
    }
    return json.put("pardon", listing.pardon().isEmpty() ? null : listing.pardon()).build();
  }

  /** The recipient that was kept is exempt, so that content does no more than tag. */
  private static boolean isForExempt(Explanation.Line line) {
    return switch (line.ground()) {
      case Ground.OfList listed -> listed.weakness() == Ground.Weakness.EXEMPT;
      case Ground.Blocked blocked -> blocked.weakness() == Ground.Weakness.EXEMPT;
      case Ground.RuleMet _ -> false;
    };
  }

  /** The entry of a rule names the lists that counted. */
  private static List<String> counted(KeptListing listing) {
    return List.of(listing.entry().split(",", -1));
  }

  /**
   * What is known of an entry that listed the session: since when a feed and the operator say. A
   * feed may have dropped the entry and listed it again since, which says nothing of then.
   */
  private Optional<Explanation.Line> line(KeptListing listing) {
    return Stream.concat(
            then.stream().flatMap(answer -> answer.listings().stream()),
            now.stream().flatMap(answer -> answer.listings().stream()))
        .filter(line -> line.ground().source().equals(listing.list()))
        .filter(line -> line.ground().entry().equals(listing.entry()))
        .filter(line -> line.since() == null || !line.since().isAfter(session.at()))
        .findFirst();
  }

  /** An exact listing of a feed is only found after a hit of its filter. */
  JsonObject bloom() {
    KeptDecision decision = session.decision();
    // One that an allow entry lifted was found in the same way.
    Optional<KeptListing> deciding =
        decision.deciding().or(() -> decision.listings().stream().findFirst());
    boolean confirmed = deciding.filter(this::isConfirmed).isPresent();
    return JsonValue.object()
        .put(
            "filter",
            Explanation.Bloom.filterOf(
                deciding.map(listing -> listing.check().key()).orElse(""),
                deciding.map(KeptListing::subject).orElse("")))
        .put("hit", confirmed)
        .put("confirmed", confirmed)
        .build();
  }

  private boolean isConfirmed(KeptListing listing) {
    return settings.rules().containsKey(listing.list())
        ? counted(listing).stream().anyMatch(this::isFeed)
        : isFeed(listing.list());
  }

  private boolean isFeed(String list) {
    return !list.isEmpty()
        && !list.equals(OPERATOR)
        && Arrays.stream(Sign.values()).noneMatch(sign -> sign.key().equals(list))
        && !settings.feeds().dnsLists().containsKey(list);
  }
}
