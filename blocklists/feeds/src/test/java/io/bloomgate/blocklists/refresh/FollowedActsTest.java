package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.OtherNodeAct;
import io.bloomgate.config.name.Fingerprint;
import org.junit.jupiter.api.Test;

/** What was done on another node of a fleet, where this one has the version and where not. */
class FollowedActsTest extends BreakerStories {

  private static final String BY = "alice@mx1";

  private static String refused(RefreshStage stage, OtherNodeAct act) throws Exception {
    return assertInstanceOf(ActResult.Refused.class, stage.follow(act)).message();
  }

  private static ActResult.Done done(RefreshStage stage, OtherNodeAct act) throws Exception {
    ActResult result = stage.follow(act);
    return assertInstanceOf(ActResult.Done.class, result, result::toString);
  }

  private void serve(RefreshStage stage, String list) throws Exception {
    server.serve("/list", list);
    stage.pass(HOUR.multipliedBy(2));
    stage.loop.tick();
  }

  private static String sha256(String list) {
    return Fingerprint.ofText(list).toString();
  }

  private static OtherNodeAct accept(String list, boolean entries) {
    return new OtherNodeAct.Accept("bad", sha256(list), entries, BY);
  }

  private static OtherNodeAct back(String from, String to) {
    return new OtherNodeAct.Rollback("bad", sha256(from), sha256(to), BY);
  }

  @Test
  void anAcceptedVersionIsLiveWhereItIsHeldAndNowhereElse() throws Exception {
    try (RefreshStage s = begun(ips(0, 100))) {
      serve(s, ips(0, 10));
      assertEquals("held", s.state("bad"));
      assertTrue(refused(s, accept(ips(0, 9), false)).contains("does not hold the version"));
      assertTrue(refused(s, accept(ips(0, 100), false)).contains("is live here"));
      assertTrue(
          refused(s, new OtherNodeAct.Accept("none", "0", false, BY)).contains("has no feed none"));
      assertEquals("held", s.state("bad"), "none of that was about it");
      done(s, accept(ips(0, 10), false));
      assertFalse(s.listsIp("203.0.113.99"));
      assertEquals(BY, s.show("bad").versions().getFirst().acceptedBy());
      assertTrue(refused(s, accept(ips(0, 10), false)).contains("is live here"), "once");
    }
  }

  @Test
  void whatWasTakenBackIsTakenBackWhereItIsLive() throws Exception {
    try (RefreshStage s = begun(ips(0, 100))) {
      serve(s, ips(0, 90));
      assertTrue(refused(s, back(ips(0, 80), ips(0, 100))).contains("another version"));
      assertTrue(refused(s, back(ips(0, 90), ips(0, 70))).contains("does not keep"));
      assertTrue(refused(s, back(ips(0, 95), ips(0, 90))).contains("live here already"));
      assertFalse(s.listsIp("203.0.113.99"));
      assertEquals(1, done(s, back(ips(0, 90), ips(0, 100))).version());
      assertTrue(s.listsIp("203.0.113.99"));
      s.tickAfter(HOUR.multipliedBy(2));
      assertTrue(s.listsIp("203.0.113.99"), "what was taken back does not come back");
    }
  }
}
