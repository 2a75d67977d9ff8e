// What stands in every kernel, in CUDA C++: the methods, the looks after a step, the way back to the constraints. Words in capitals are filled in.
// What is computed is `real`, double or float; what is kept for the host is double.
#pragma once

#include <string_view>

namespace cetaev::gpu {

inline constexpr std::string_view common_text = R"(
#define EACH(i, n) _Pragma("unroll") for (int i = 0; i < (n); ++i)
#define least_pivot 1e-3

__device__ inline bool is_number(real x) { return fabs(x) <= LARGEST; }

// Has it kept its sign, and is it no small part of what it was?
__device__ inline bool stays_away(real value, real *largest)
{
  if (!(value * *largest > 0.0) || !(fabs(value) > least_pivot * fabs(*largest))) return false;
  if (fabs(value) > fabs(*largest)) *largest = value;
  return true;
}
// The way down to the lowest point that two tangents allow, where a height falls first and rises then.
__device__ inline bool is_narrow(real h0, real slope0, real h1, real slope1, real step)
{
  if (!(slope0*step < 0.0) || !(slope1*step > 0.0)) return false;
  const real lowest = h0 + slope0*(h1 - h0 - slope1*step)/(slope0 - slope1);
  return fmin(h0, h1) - lowest > NARROW;
}
// No zero of the parabola through three values.
__device__ inline bool on_one_side(real begin, real middle, real end)
{
  const real between = 2.0*middle - 0.5*(begin + end);
  return begin*end > 0.0 && begin*between > 0.0;
}
)";

// Newton's method back to the constraints of one kind; {0} positions or velocities.
inline constexpr std::string_view projection_text = R"(
__constant__ real rounding_in_{0}[{1}] = {{{2}}};
__device__ __noinline__ real off_{0}(real t, const real *y, const real *p, real *largest)
{{
  real r[{1}], size[{1}];
  rows_of_{0}(t, y, p, r, size);
  real worst = 0.0;
  for (int i = 0; i < {1}; ++i) {{
    largest[i] = fmax(largest[i], size[i]);
    if (fabs(r[i]) > rounding_in_{0}[i]) worst = fmax(worst, largest[i] > 0.0 ? fabs(r[i])/largest[i] : 1.0);
    if (!is_number(r[i])) return FAR_OFF;
  }}
  return worst;
}}
__device__ __noinline__ bool back_to_{0}(real t, real *y, const real *p, real *largest)
{{
  real before = FAR_OFF;
  for (int step = 0; step < 8; ++step) {{
    const real worst = off_{0}(t, y, p, largest);
    if (worst <= ROUNDED || (worst < NEARLY_ROUNDED && worst >= before)) return true;
    if (!(worst < FAR_OFF)) return false;
    before = worst;
    shift_{0}(t, y, p);
  }}
  return off_{0}(t, y, p, largest) < BACK_AGAIN;
}}
)";

inline constexpr std::string_view fixed_text = R"(
extern "C" __global__ void __launch_bounds__(128) follow(long long count, const int *list, double *data, int *code, long long stride,
                                  double t_end, double tolerance, long long steps_now, long long steps_all)
{
  const long long thread = (long long)blockIdx.x*blockDim.x + threadIdx.x;
  if (thread >= count) return;
  const long long motion = list ? list[thread] : thread;
  double *const own = data + motion;
  real y[N];
  EACH(i, N) y[i] = own[i*stride];
  LOAD_PARAMETERS
  const bool begins = code[motion] == fresh;
  const real t_start = begins ? own[N*stride] : own[START*stride];
  const real h = (real)(t_end - t_start)/(real)steps_all;
  long long step = begins ? 0 : (long long)own[(N + 1)*stride];
  LOAD_WATCH
  if (begins) {
    own[START*stride] = t_start;
    if (!begin_well(t_start, y, p, s, watch, rows_seen)) { code[motion] = left_start; return; }
  }
  const int most = (int)(steps_all - step < steps_now ? steps_all - step : steps_now);
  int why = 0, taken = 0;
  LOOK_BEFORE
  UNROLLED
  for (; taken < most && !why; ++taken) {
    const real t = t_start + (real)(step + taken)*h;
    real k[N], z[N], sum[N];
    if (!rates_watched(t, y, p, s, k, watch)) why = left_pivot;
    EACH(i, N) sum[i] = k[i];
    EACH(i, N) z[i] = y[i] + 0.5*h*k[i];
    LOOK_FIXED
    rates(t + 0.5*h, z, p, s, k);
    EACH(i, N) sum[i] += 2.0*k[i];
    EACH(i, N) z[i] = y[i] + 0.5*h*k[i];
    rates(t + 0.5*h, z, p, s, k);
    EACH(i, N) sum[i] += 2.0*k[i];
    EACH(i, N) z[i] = y[i] + h*k[i];
    rates(t + h, z, p, s, k);
    EACH(i, N) y[i] += h/6.0*(sum[i] + k[i]);
    PROJECT_FIXED
  }
  step += taken;
  if (!why) {
    const real t = t_start + (real)step*h;
    LOOK_FIXED
  }
  EACH(i, N) if (!is_number(y[i])) why = left_steps;
  EACH(i, N) own[i*stride] = y[i];
  own[N*stride] = step == steps_all ? t_end : t_start + (real)step*h;
  own[(N + 1)*stride] = (double)step;
  STORE_WATCH
  code[motion] = why ? why : step == steps_all ? finished : on_its_way;
}
)";

// {0} stages, {1} the new state and its error.
inline constexpr std::string_view adaptive_text = R"(
struct Scale {
  real size[N], largest, reference, part;
  __device__ real unit(int i, real y) const
  {
    return fmax(fmax(size[i], part*fmax(largest, reference)), fabs(y));
  }
  __device__ void update(const real *y)
  {
    EACH(i, N) {
      size[i] = fmax(size[i], fabs(y[i]));
      largest = fmax(largest, size[i]);
    }
  }
};

// So that an explicit Euler step, and its second derivative, promise an error of a hundredth of the tolerance.
__device__ __noinline__ real first_step(real t, const real *y, const real *p, const real *s, const real *k0,
                                          real t_end, real tolerance, const Scale &scale)
{
  real position = 0.0, slope = 0.0, bend = 0.0, z[N], k1[N];
  EACH(i, N) {
    const real unit = tolerance*scale.unit(i, y[i]);
    position += y[i]/unit*(y[i]/unit);
    slope += k0[i]/unit*(k0[i]/unit);
  }
  position = sqrt(position);
  slope = sqrt(slope);
  const real sign = t_end >= t ? 1.0 : -1.0, longest = fabs(t_end - t);
  real h = slope > 1e-10 && position > 1e-10 ? position/slope/100.0 : longest/1e6;
  h = fmin(h, longest);
  if (!(h > 0.0) || !is_number(h)) return sign*longest/1e6;
  EACH(i, N) z[i] = y[i] + sign*h*k0[i];
  rates(t + sign*h, z, p, s, k1);
  EACH(i, N) {
    const real change = (k1[i] - k0[i])/(tolerance*scale.unit(i, y[i]));
    bend += change*change;
  }
  bend = sqrt(bend)/h;
  if (!is_number(bend)) return sign*h/100.0;
  const real steep = fmax(slope, bend);
  const real wanted = steep > 1e-15 ? pow(0.01/steep, 0.125) : h;
  return sign*fmin(fmin(100.0*h, wanted), longest);
}

extern "C" __global__ void __launch_bounds__(128) follow(long long count, const int *list, double *data, int *code, long long stride,
                                  double t_end, double tolerance, long long steps_now, long long steps_all)
{
  const long long thread = (long long)blockIdx.x*blockDim.x + threadIdx.x;
  if (thread >= count) return;
  const long long motion = list ? list[thread] : thread;
  double *const own = data + motion;
  real y[N], low[N], k0[N];
  EACH(i, N) y[i] = own[i*stride];
  LOAD_PARAMETERS
  real t = own[N*stride];
  const bool begins = code[motion] == fresh;
  double *const kept = own + OWN*stride;
  LOAD_WATCH
  Scale scale;
  real t_low = 0.0, h = 0.0, longest = 0.0, error_before = 1e-4, taken = 0.0;
  if (begins) {
    if (!begin_well(t, y, p, s, watch, rows_seen)) { code[motion] = left_start; return; }
    EACH(i, N) { low[i] = 0.0; scale.size[i] = 0.0; }
    scale.largest = 0.0;
    scale.part = 1e-6;
    scale.update(y);
    scale.reference = scale.largest > 0.0 ? 0.0 : 1.0;
  } else {
    EACH(i, N) { low[i] = kept[i*stride]; scale.size[i] = kept[(N + i)*stride]; }
    scale.largest = kept[2*N*stride];
    scale.part = kept[(2*N + 1)*stride];
    scale.reference = kept[(2*N + 2)*stride];
    t_low = kept[(2*N + 3)*stride];
    h = kept[(2*N + 4)*stride];
    longest = kept[(2*N + 5)*stride];
    error_before = kept[(2*N + 6)*stride];
    taken = own[(N + 1)*stride];
  }
  int why = rates_watched(t, y, p, s, k0, watch) ? 0 : left_pivot;
  EACH(i, N) if (!is_number(k0[i])) why = left_steps;
  if (!why && begins) h = first_step(t, y, p, s, k0, t_end, tolerance, scale);
  real last_error = 0.0, last_h = 0.0;
  bool retried = false;
  LOOK_BEFORE
  for (long long now = 0; now < steps_now && !why && t != t_end; ++now) {
    const real room = (t_end - t) - t_low;
    const bool last = 1.01*fabs(h) >= fabs(room);
    const real step = last ? room : h;
    real z[N], y_new[N], low_new[N], sum5 = 0.0, sum3 = 0.0;
    real K_ARRAYS;
STAGES
    EACH(i, N) {
      const real slope = COMBINED_STEP;
      const real change = step*slope + low[i];
      y_new[i] = y[i] + change;
      low_new[i] = change - (y_new[i] - y[i]);
      const real over = 1.0/(tolerance*scale.unit(i, y_new[i]));
      const real e5 = (COMBINED_ERROR)*over;
      const real e3 = (slope - (COMBINED_THIRD))*over;
      sum5 += e5*e5;
      sum3 += e3*e3;
    }
    const real all = sum5 + sum3/100.0;
    real error = all > 0.0 ? fabs(step)*sum5/sqrt(all*(real)N) : all;
    bool numbers = is_number(error);
    const real t_new = last ? t_end : t + (t_low + step);
    if (numbers && error <= 1.0) {
      if (!rates_watched(t_new, y_new, p, s, k12, watch)) why = left_pivot;
      EACH(i, N) numbers = numbers && is_number(k12[i]);
    }
    if (why) break;
    if (numbers && error <= 1.0) {
      LOOK_STEP
      taken += 1.0;
      longest = fmax(longest, fabs(step));
      if (last) {
        t = t_end;
        t_low = 0.0;
      } else {
        const real change = step + t_low, sum = t + change;
        t_low = change - (sum - t);
        t = sum;
      }
      EACH(i, N) { y[i] = y_new[i]; low[i] = low_new[i]; k0[i] = k12[i]; }
      PROJECT_ADAPTIVE
      scale.update(y);
      // h · 0.9 · error^(-1/8 + beta/5) · (error before)^beta with beta = 0.04, between h/3 and 6 h
      real factor = pow(error, 0.125 - 0.04/5.0)/0.9/pow(error_before, 0.04);
      factor = fmin(fmax(factor, 1.0/6.0), 3.0);
      real next = step/factor;
      error_before = fmax(error, 1e-4);
      if (retried && fabs(next) > fabs(step)) next = step;
      if (last && !retried && fabs(h) > fabs(next)) next = h;
      h = next;
      retried = false;
      last_error = 0.0;
    } else {
      if (numbers) {
        // an error made by the method falls with the eighth power of the step, one made by rounding not faster than the step
        if (last_error > 0.0 && error*last_h*last_h*last_h > last_error*fabs(step*step*step))
          scale.part = fmin(10.0*scale.part, 0.1);
        last_error = error;
        last_h = fabs(step);
        h = step/fmin(3.0, pow(error, 0.125 - 0.04/5.0)/0.9);
      } else {
        last_error = 0.0;
        h = step/4.0;
      }
      retried = true;
      if (fabs(h) <= 8.9e-16*fabs(t) + 2.3e-19*longest) why = left_steps;
    }
  }
  EACH(i, N) { own[i*stride] = y[i]; kept[i*stride] = low[i]; kept[(N + i)*stride] = scale.size[i]; }
  own[N*stride] = t;
  own[(N + 1)*stride] = taken;
  kept[2*N*stride] = scale.largest;
  kept[(2*N + 1)*stride] = scale.part;
  kept[(2*N + 2)*stride] = scale.reference;
  kept[(2*N + 3)*stride] = t_low;
  kept[(2*N + 4)*stride] = h;
  kept[(2*N + 5)*stride] = longest;
  kept[(2*N + 6)*stride] = error_before;
  STORE_WATCH
  code[motion] = why ? why : t == t_end ? finished : on_its_way;
}
)";

}  // namespace cetaev::gpu
