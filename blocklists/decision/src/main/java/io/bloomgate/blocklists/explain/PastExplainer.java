package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.generation.KeptGenerations;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.config.name.Parsed;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers {@code explain --at}: the decision of now over the lists of then. What else a decision
 * asks is of now, and the answer says so. Used for one command, on its thread.
 *
 * @param context that of now over the lists of then, without DNS lists and greylisting
 * @param past those lists
 */
public record PastExplainer(Explainer.Context context, KeptGenerations.Past past) {

  /** The answer to a question, or what is wrong with it. */
  public Parsed<Explanation> explain(Question question) {
    return new Explainer(context, past.at())
        .explain(question)
        .map(answer -> answer.withNotes(notes(), List.of()));
  }

  /** The answer about the mail of a session that was kept. */
  public Explanation explainKept(Facts mail, boolean senderKnown) {
    return new Explainer(context, past.at())
        .explainKept(mail, senderKnown)
        .withNotes(notes(), List.of());
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    SnapshotManifest lists = past.lists().manifest();
    notes.add(
        "the lists are those of generation %d of %s; settings, feeds that are switched off, allow"
                .formatted(lists.generation(), seconds(lists.created()))
            + " and block entries are those of now");
    SnapshotManifest next = past.next();
    if (next != null && past.isBetween()) {
      notes.add(
          "generations %d to %d, made before %s, are not kept: what they changed is not known"
              .formatted(lists.generation() + 1, next.generation() - 1, seconds(next.created())));
    }
    notes.add(
        "the age of feeds does not count, and DNS lists and greylisting were not asked: only the"
            + " lists are known of then");
    return notes;
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
