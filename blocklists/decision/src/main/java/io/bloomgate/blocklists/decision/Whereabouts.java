package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says whose network a client is in, as far as the tables count that say it: not those that are
 * removed, disabled, or older than {@code expire_after}. No ground, so nothing refuses by it;
 * conditions of {@link ListRule rules} ask it, and it weakens listings of AS numbers. Made by
 * {@link Collector} for one decision. Immutable.
 *
 * @param answers by the age of their tables
 */
public record Whereabouts(Map<AsnAnswer, Weakness> answers) {

  /** Nothing is known. */
  public static final Whereabouts UNKNOWN = new Whereabouts(Map.of());

  /** The answers of tables whose age is not known. */
  public static Whereabouts of(List<AsnAnswer> answers) {
    Map<AsnAnswer, Weakness> fresh = new LinkedHashMap<>();
    answers.forEach(answer -> fresh.put(answer, Weakness.NONE));
    return new Whereabouts(fresh);
  }

  /** The reason by which a listing of an AS number counts less: no fresh table says the number. */
  Weakness ofNumber(Subject number) {
    Weakness least = Weakness.EXPIRED;
    for (Map.Entry<AsnAnswer, Weakness> one : answers.entrySet()) {
      if (number.equals(one.getKey().number()) && one.getValue().compareTo(least) < 0) {
        least = one.getValue();
      }
    }
    return least;
  }

  /** The answers that meet a condition; empty when a part of it is not met. */
  List<AsnAnswer> meeting(Rule.Where condition) {
    List<AsnAnswer> meeting = new ArrayList<>();
    boolean asn = condition.asns().isEmpty();
    boolean country = condition.countries().isEmpty();
    for (AsnAnswer answer : answers.keySet()) {
      boolean ofAsn = answer.number() != null && condition.asns().contains(answer.number());
      boolean ofCountry = condition.countries().contains(answer.country());
      if (ofAsn || ofCountry) {
        meeting.add(answer);
      }
      asn |= ofAsn;
      country |= ofCountry;
    }
    return asn && country ? meeting : List.of();
  }

  /** True when one of these is of a table older than {@code stale_after}. */
  boolean anyStale(List<AsnAnswer> some) {
    return some.stream().anyMatch(answer -> answers.get(answer) == Weakness.STALE);
  }
}
