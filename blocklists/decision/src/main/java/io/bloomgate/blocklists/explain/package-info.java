/**
 * Explains a verdict and what would change it.
 *
 * <p>{@link io.bloomgate.blocklists.explain.Explainer} asks the same decision core as a session.
 * Pure; called by the control socket's threads and by the command line offline.
 */
@NullMarked
package io.bloomgate.blocklists.explain;

import org.jspecify.annotations.NullMarked;
