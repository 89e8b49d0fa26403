package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.index.Listing;
import java.util.List;

/** The answer of the lists about one key. Immutable. */
public sealed interface ListAnswer {

  /**
   * The filter has never seen the key: certainly not listed. One shared value, so that the clean
   * path allocates nothing.
   */
  record NotListed() implements ListAnswer {
    /** The one value. */
    public static final NotListed INSTANCE = new NotListed();
  }

  /**
   * The filter hit, the exact index knows nothing: harmless.
   *
   * @param filter word of the {@link Partition}
   */
  record FalsePositive(String filter) implements ListAnswer {}

  /**
   * The filter hit a true entry, but by its match mode that entry does not reach the key: {@code
   * spam.example} alone, and the key is below it. Harmless, and no chance hit.
   *
   * @param filter word of the {@link Partition}
   * @param entries those that do not reach it
   */
  record OutOfReach(String filter, List<Listing> entries) implements ListAnswer {
    public OutOfReach {
      entries = List.copyOf(entries);
    }
  }

  /**
   * Listed exactly.
   *
   * @param filter word of the {@link Partition} that hit
   * @param listings all that cover the key, most specific first, then in feed order; a feed with an
   *     exception for the key is left out; may be empty when exceptions void everything
   */
  record Listed(String filter, List<Listing> listings) implements ListAnswer {
    public Listed {
      listings = List.copyOf(listings);
    }
  }
}
