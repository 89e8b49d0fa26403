package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;

/**
 * Takes the entries of an exact index one after the other, exceptions too; called by the index on
 * the thread that walks. Objects are made only of entries that are wanted.
 */
public interface EntryVisitor {

  /** True when the entry at hand, which is of this feed, is to be handed over. */
  boolean wants(int feed);

  /** An entry that was wanted. */
  void entry(int feed, ListEntry entry);
}
