package io.bloomgate.blocklists.generation;

import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Subject;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a finished generation for every known-good subject as sessions ask it: counts what no list
 * names, and logs the rest. Run by {@link SnapshotBuilder} on the building thread.
 */
final class KnownGoodProof {

  private static final Logger LOG = LoggerFactory.getLogger(KnownGoodProof.class);

  /** Subjects that the log names. */
  private static final int SAMPLE = 5;

  private final ListSnapshot snapshot;
  private final List<String> sample = new ArrayList<>();
  private long proven;
  private long listed;
  private long wide;

  KnownGoodProof(ListSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  KnownGoodCounts run(KnownGood knownGood) {
    knownGood.forEach(this::ask);
    if (proven + listed > 0) {
      LOG.info("known-good set: {} not listed, {} listed", proven, listed);
    }
    if (listed > 0) {
      LOG.warn(
          "the lists hold {} of the known-good set, under a listed name or in or beside a listed"
              + " network; that is judged like other mail unless an allow entry lifts it; the"
              + " first: {}",
          listed,
          String.join(", ", sample));
    }
    if (wide > 0) {
      LOG.warn("{} networks of the known-good set are too wide to be proven host by host", wide);
    }
    return new KnownGoodCounts(proven, listed);
  }

  private void ask(Subject subject) {
    List<ListKey> keys = KnownGood.keys(subject);
    if (keys.isEmpty()) {
      wide++;
    } else if (keys.stream().noneMatch(this::isListed)) {
      proven++;
    } else {
      listed++;
      if (sample.size() < SAMPLE) {
        sample.add(subject.toString());
      }
    }
  }

  private boolean isListed(ListKey key) {
    return snapshot.ask(key) instanceof ListAnswer.Listed;
  }
}
