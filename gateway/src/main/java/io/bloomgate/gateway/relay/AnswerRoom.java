package io.bloomgate.gateway.relay;

/**
 * Room in {@link AnswerMemory} that is promised to one transaction, from the RCPT that needs it to
 * the end of the transaction: open transactions together are promised no more than there is. Made
 * by {@link AnswerMemory#room}; used by one session's thread, its number under the monitor of the
 * memory.
 */
public final class AnswerRoom implements AutoCloseable {

  private final AnswerMemory memory;
  private final AnswerMemory.Origin origin;
  private int promised;

  /** Nothing is promised yet. */
  AnswerRoom(AnswerMemory memory, AnswerMemory.Origin origin) {
    this.memory = memory;
    this.origin = origin;
  }

  /** Returns the sender whose mail it is. */
  public AnswerMemory.Origin origin() {
    return origin;
  }

  /**
   * Raises what is promised to this number of answers.
   *
   * @return false when there is no such room; what was promised before still is
   */
  public boolean reach(int answers) {
    return memory.promise(this, answers);
  }

  /** Gives back what was not used. */
  @Override
  public void close() {
    // Only this session's thread changes it, and most transactions were promised nothing.
    if (promised > 0) {
      memory.release(this);
    }
  }

  /** Answers that are promised and not used. */
  int promised() {
    synchronized (memory) {
      return promised;
    }
  }

  /** Called under the monitor of the memory. */
  void add(int more) {
    promised += more;
  }
}
