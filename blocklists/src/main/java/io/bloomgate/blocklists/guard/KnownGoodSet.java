package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Senders that are known to be good, and where each was read. Immutable; made once for a build or a
 * test.
 */
public final class KnownGoodSet {

  /** Subjects that are looked for; more would cost a build too much memory. */
  public static final int MAX_SUBJECTS = 500_000;

  /** No subjects. */
  public static final KnownGoodSet EMPTY = new Builder().build();

  private final List<Place> places;
  private final SubjectIndex index;

  private KnownGoodSet(List<Place> places) {
    this.places = places;
    this.index = new SubjectIndex(places.stream().map(Place::subject).toList());
  }

  /**
   * A subject and where it was read.
   *
   * @param line 0 for none
   */
  private record Place(Subject subject, String file, int line) {}

  /** Takes subjects, up to {@link #MAX_SUBJECTS}. One thread. */
  public static final class Builder {
    private final List<Place> places = new ArrayList<>();
    private long omitted;

    /** A subject; a mail address also is mail from its domain or address literal. */
    public void add(Subject subject, String file, int line) {
      if (places.size() == MAX_SUBJECTS) {
        omitted++;
      } else {
        places.add(new Place(subject, file, line));
      }
    }

    /** Subjects that were left out because the set was full. */
    public long omitted() {
      return omitted;
    }

    /** The set; this builder is not used afterwards. */
    public KnownGoodSet build() {
      return new KnownGoodSet(places);
    }
  }

  /** True when there is nothing to look for. */
  public boolean isEmpty() {
    return places.isEmpty();
  }

  /** The first sender that an entry lists, also in part; a web address only where none else is. */
  public Optional<Subject> first(ListEntry entry) {
    List<Integer> found = new ArrayList<>();
    index.find(
        entry,
        (from, behind, _) -> {
          for (int way = from; way < behind; way++) {
            found.add(index.subject(way));
          }
        });
    return found.stream()
        .sorted()
        .map(number -> places.get(number).subject)
        .min(Comparator.comparing(WebUrl.class::isInstance)); // of equal ones the first
  }

  SubjectIndex index() {
    return index;
  }

  String text(int subject) {
    return places.get(subject).subject.toString();
  }

  /** The place where a subject was read: {@code FILE:LINE}, or the file alone. */
  String place(int subject) {
    Place place = places.get(subject);
    return place.line == 0 ? place.file : place.file + ":" + place.line;
  }
}
