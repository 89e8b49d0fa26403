package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.Evidence;
import io.bloomgate.blocklists.decision.Evidence.Pardon;
import io.bloomgate.blocklists.decision.Evidence.Pardoned;
import io.bloomgate.blocklists.decision.Evidence.Waiver;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Join;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.LogSettings.Privacy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A decision as named fields, the same for kv lines, JSON lines and {@code tail}; texts are already
 * escaped and shortened.
 *
 * <p>Pure; called by {@link DecisionLine} and {@link TailHub} on any thread.
 */
public final class DecisionFields {

  private DecisionFields() {}

  /** The fields in the order of contract, section 5; fields that are added go around them. */
  public static JsonObject of(DecisionRecord record, Privacy privacy) {
    Verdict verdict = record.verdict();
    Optional<Ground.Exact> ground = deciding(verdict);
    JsonValue.ObjectBuilder fields =
        JsonValue.object()
            .put("ts", record.time().toString())
            .put("event", event(record))
            .put("verdict", record.verdictWord())
            .put("stage", record.stage().key())
            .put("client_ip", record.client().toString())
            .put("helo", LogText.value(LogText.maskEntry(record.helo(), privacy)))
            .put("from", from(record, privacy))
            .put("to", recipients(record.to(), privacy))
            .put("feed", ground.map(g -> LogText.value(g.source())).orElse(null))
            .put(
                "entry",
                ground.map(g -> LogText.value(LogText.maskEntry(g.entry(), privacy))).orElse(null))
            .put("generation", verdict == null ? 0 : verdict.evidence().generation())
            .put("code", record.reply().code())
            .put("enhanced", record.reply().enhanced())
            .put("id", record.id())
            .put("size", record.sizeOctets())
            .put("ms", record.took().toMillis())
            .put("outcome", record.outcome().key())
            .put("mode", record.mode().name().toLowerCase(Locale.ROOT))
            .put("proto", LogText.value(record.protocol()));
    passedBecause(verdict).forEach((name, value) -> fields.put(name, value));
    bulk(record).forEach((name, value) -> fields.put(name, value));
    if (record.times() > 1) {
      fields.put("count", record.times());
    }
    if (!record.quoted().isEmpty()) {
      fields.put("incident", String.join(",", record.quoted()));
    }
    return fields.build();
  }

  /**
   * The listing behind the verdict; for mail that passed, the strongest listing that was only
   * observed.
   */
  public static Optional<Ground.Exact> deciding(@Nullable Verdict verdict) {
    return switch (verdict) {
      case null -> Optional.empty();
      case Verdict.Reject(Ground.Exact ground, var ignored) -> Optional.of(ground);
      case Verdict.Tag(Ground.Exact ground, var ignored) -> Optional.of(ground);
      case Verdict.Greylist(Ground.Exact ground, var ignored) -> Optional.of(ground);
      case Verdict.Tempfail(Ground ground, var ignored) -> exact(ground);
      case Verdict.Accept(var evidence) ->
          evidence.standing().stream().flatMap(g -> exact(g).stream()).findFirst();
    };
  }

  /**
   * Fields that say why lists did not stop a mail that they name: greylisting let it in, the
   * recipient or the client's network is exempt, or an entry of the operator allows it.
   */
  static Map<String, String> passedBecause(@Nullable Verdict verdict) {
    return switch (verdict) {
      case Verdict.Tag(Ground.Exact ground, var ignored) when isForExemptToo(ground) ->
          Map.of("exempt", "recipient");
      case Verdict.Accept(Evidence evidence) -> passedBecause(evidence);
      case null, default -> Map.of();
    };
  }

  /** The content would do more than tag if none of the recipients were exempt. */
  private static boolean isForExemptToo(Ground.Exact ground) {
    return switch (ground) {
      case Ground.OfList listed -> listed.weakness() == Weakness.EXEMPT;
      case Ground.RuleMet met ->
          met.counted().stream().anyMatch(listed -> listed.weakness() == Weakness.EXEMPT);
      case Ground.Blocked blocked -> blocked.weakness() == Weakness.EXEMPT;
    };
  }

  private static Map<String, String> passedBecause(Evidence evidence) {
    Waiver waiver = evidence.waiver();
    if (waiver != null) {
      String exempt =
          switch (waiver) {
            case EXEMPT_RECIPIENT -> "recipient";
            case EXEMPT_NETWORK -> "network";
          };
      return strongest(evidence, Pardon.Waived.class)
          .map(lifted -> fields("listed", list(lifted), "exempt", exempt))
          .orElse(Map.of());
    }
    boolean cameAgain =
        !evidence.standing().isEmpty()
            && evidence.standing().getFirst() instanceof Ground.Exact first
            && Join.action(first) == Action.GREYLIST;
    if (cameAgain) {
      return Map.of("greylist", "let_in");
    }
    return strongest(evidence, Pardon.Allowed.class)
        .map(lifted ->
            lifted.pardon() instanceof Pardon.Allowed(OperatorEntry entry)
                ? fields("listed", list(lifted), "allowed", LogText.value(entry.id()))
                : Map.<String, String>of())
        .orElse(Map.of());
  }

  /** Fields of a mail of which many copies passed. */
  static Map<String, String> bulk(DecisionRecord record) {
    Bulk bulk = record.session().bulk();
    return bulk.isCampaign()
        ? fields("bulk", bulk.toString(), "campaign", bulk.campaign())
        : Map.of();
  }

  /** The strongest of the listings that would have had an effect without this kind of pardon. */
  private static Optional<Pardoned> strongest(Evidence evidence, Class<? extends Pardon> kind) {
    return evidence.pardoned().stream()
        .filter(lifted -> kind.isInstance(lifted.pardon()))
        .filter(lifted -> action(lifted).compareTo(Action.OBSERVE) > 0)
        .max(Comparator.comparing(DecisionFields::action));
  }

  private static Action action(Pardoned lifted) {
    return lifted.ground() instanceof Ground.Exact exact ? Join.action(exact) : Action.OBSERVE;
  }

  private static String list(Pardoned lifted) {
    return exact(lifted.ground()).map(exact -> LogText.value(exact.source())).orElse("");
  }

  private static Map<String, String> fields(String a, String first, String b, String second) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(a, first);
    fields.put(b, second);
    return fields;
  }

  private static Optional<Ground.Exact> exact(Ground ground) {
    return ground instanceof Ground.Exact found ? Optional.of(found) : Optional.empty();
  }

  /**
   * {@code verdict} where lists decided; other events have other names, so that a ban rule on
   * {@code event=verdict verdict=reject} never sees mail that passed in mode observe.
   */
  private static String event(DecisionRecord record) {
    return switch (record.outcome()) {
      case REFUSED -> "verdict";
      case WOULD_REFUSE -> "verdict_warning";
      case PROTOCOL, TURNED_AWAY -> "protocol";
      case DELIVERED, UPSTREAM_REFUSED, UPSTREAM_FAILED, UNKNOWN, ABANDONED -> "message";
    };
  }

  /** {@code <>} for the null reverse-path; it cannot be forged, since both signs are escaped. */
  private static @Nullable String from(DecisionRecord record, Privacy privacy) {
    String from = record.from();
    if (from == null) {
      return null;
    }
    return from.isEmpty() ? "<>" : LogText.address(from, privacy);
  }

  private static JsonValue recipients(List<String> to, Privacy privacy) {
    List<String> texts = new ArrayList<>();
    to.forEach(t -> texts.add(LogText.address(t, privacy)));
    return JsonValue.ofStrings(texts);
  }
}
