package io.bloomgate.blocklists.campaign;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Readers of bodies that wait for the next mail, because the memory of one is most of what the look
 * into a mail takes. One for a gateway, asked by sessions on any thread.
 */
public final class BodyPrints {

  /** Readers that wait at most; more mails at once than that make their own. */
  private static final int MOST = 64;

  private final long seed;
  private final BlockingQueue<BodyPrint> waiting = new ArrayBlockingQueue<>(MOST);

  /**
   * None waits.
   *
   * @param seed of this gateway, as {@link BodyPrint} says
   */
  public BodyPrints(long seed) {
    this.seed = seed;
  }

  /** The seed of this gateway. */
  public long seed() {
    return seed;
  }

  /** A reader at the beginning of a text, for one mail. */
  public BodyPrint take() {
    @Nullable BodyPrint one = waiting.poll();
    return one == null ? new BodyPrint(seed) : one;
  }

  /** Gives a reader back behind {@link BodyPrint#end}; of a mail that was broken off none comes. */
  public void give(BodyPrint ended) {
    var _ = waiting.offer(ended);
  }
}
