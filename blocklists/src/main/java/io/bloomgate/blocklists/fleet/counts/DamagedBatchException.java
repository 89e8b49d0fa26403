package io.bloomgate.blocklists.fleet.counts;

import java.io.Serial;

/**
 * A batch of counts is none, or none of this fleet. The message says why and has nothing of the
 * batch but names that were checked. Thrown on the thread of the fleet that reads.
 */
public final class DamagedBatchException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  DamagedBatchException(String why) {
    super(why);
  }

  DamagedBatchException(String why, Throwable cause) {
    super(why, cause);
  }
}
