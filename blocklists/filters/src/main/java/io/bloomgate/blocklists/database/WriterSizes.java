package io.bloomgate.blocklists.database;

/**
 * The bounds of a writer of a {@link SqliteFile}. Immutable.
 *
 * @param cacheKib memory for pages outside the heap, taken as it is needed
 * @param logPages what the log holds before it is folded in: pages of 4 KiB
 * @param synced a commit is on the disk when it returns; else it is only in the log, which the
 *     system writes: a process that is killed loses nothing, a power cut the last half minute
 */
public record WriterSizes(int cacheKib, int logPages, boolean synced) {

  /** Makes the bounds of a writer whose commits are on the disk when they return. */
  public WriterSizes(int cacheKib, int logPages) {
    this(cacheKib, logPages, true);
  }
}
