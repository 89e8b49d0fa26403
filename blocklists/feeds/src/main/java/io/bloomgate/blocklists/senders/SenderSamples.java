package io.bloomgate.blocklists.senders;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The senders seen last, each once, few of any one network, so that no network can push the others
 * out. Used by {@link KnownSenders} under its lock.
 */
final class SenderSamples extends SeenDays<SenderSamples.Sample> {

  private final int perNetwork;
  private final Map<Long, Integer> ofNetwork = new HashMap<>();

  /** A host and what it sent as. */
  record Sample(IpAddress client, String sender, String helo) {}

  /**
   * @param capacity samples that are kept at most; beyond, the longest unseen is dropped
   * @param perNetwork samples of one network at most; beyond, new ones are not taken
   */
  SenderSamples(int capacity, int perNetwork) {
    super(capacity);
    this.perNetwork = perNetwork;
  }

  @Override
  boolean takes(Sample sample) {
    long network = ClientNetwork.siteNumber(sample.client);
    boolean takes = ofNetwork.getOrDefault(network, 0) < perNetwork;
    if (takes) {
      ofNetwork.merge(network, 1, Integer::sum);
    }
    return takes;
  }

  @Override
  void dropped(Sample sample) {
    ofNetwork.computeIfPresent(
        ClientNetwork.siteNumber(sample.client), (_, count) -> count == 1 ? null : count - 1);
  }

  /** All, longest unseen first. */
  List<KnownSender> list() {
    List<KnownSender> all = new ArrayList<>(size());
    all()
        .forEach((one, at) ->
            all.add(new KnownSender(one.client, one.sender, one.helo, at.time(), at.days())));
    return all;
  }
}
