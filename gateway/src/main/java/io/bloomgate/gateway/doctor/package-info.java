/**
 * {@code bloomgate doctor}: looks at the running gateway, its mail server and its feeds, and says
 * what to mend. Changes nothing and delivers nothing.
 */
@NullMarked
package io.bloomgate.gateway.doctor;

import org.jspecify.annotations.NullMarked;
