package io.bloomgate.gateway.wire;

/** Step guards of the tests. */
final class StepGuards {

  /** No step is limited. */
  static final StepGuard NONE =
      new StepGuard() {
        @Override
        public void stepBegins(long deadline) {}

        @Override
        public void stepEnds() {}
      };

  private StepGuards() {}
}
