package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;

/**
 * Takes the entries of an exact index one after the other, exceptions too; called by the index on
 * the thread that walks. Objects are made only of entries that are wanted.
 */
public interface EntryVisitor {

  /**
   * True when the entry at hand is to be handed over.
   *
   * @param feed its feed
   * @param exception it takes away instead of listing
   */
  boolean wants(int feed, boolean exception);

  /** An entry that was wanted. */
  void entry(int feed, ListEntry entry);
}
