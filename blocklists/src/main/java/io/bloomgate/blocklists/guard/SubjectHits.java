package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the entries of a list that concern some of a set of subjects, exceptions too: what a
 * list is to these subjects, in few entries. One for a reading of a list; one thread.
 */
public final class SubjectHits {

  /** Entries that are collected; the others are left out. */
  static final int MAX_ENTRIES = 100_000;

  private final Subjects subjects;
  private final List<ListEntry> entries = new ArrayList<>();
  private final SubjectIndex.Hits hits = (from, behind, wholly) -> this.hit = true;
  private boolean hit;

  /** Subjects, ready to be looked for in many lists. Immutable. */
  public static final class Subjects {
    private final SubjectIndex index;

    /**
     * The same subjects as an index.
     *
     * @param subjects each once; a mail address also is mail from its domain or address literal
     */
    public Subjects(List<Subject> subjects) {
      this.index = new SubjectIndex(subjects);
    }
  }

  /** Nothing collected yet. */
  public SubjectHits(Subjects subjects) {
    this.subjects = subjects;
  }

  /** One entry of the list. */
  public void take(ListEntry entry) {
    hit = false;
    subjects.index.find(entry, hits);
    if (hit && entries.size() < MAX_ENTRIES) {
      entries.add(entry);
    }
  }

  /** The entries that concern a subject, in the order of the list. */
  public List<ListEntry> entries() {
    return List.copyOf(entries);
  }
}
